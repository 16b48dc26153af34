// Which kind of bar code a number is, until somebody chooses.

/// Whether the last digit is what the others make it.
const isChecked = (digits) => {
  const values = [...digits].map(Number).reverse();
  return values.reduce((sum, value, place) => sum + value * (place % 2 ? 3 : 1), 0) % 10 === 0;
};

/// The kind that cards with such a number have most often; empty for none.
export const kindOf = (number) => {
  const text = number.trim();
  if (!text) return "";
  if (/^\d+$/.test(text)) {
    if (text.length === 13 && isChecked(text)) return "EAN_13";
    if (text.length === 12 && isChecked(text)) return "UPC_A";
    if (text.length === 8 && isChecked(text)) return "EAN_8";
  }
  if (/^https?:/.test(text) || text.length > 48) return "QR_CODE";
  return /^[\x20-\x7e]+$/.test(text) ? "CODE_128" : "QR_CODE";
};

/// What the kinds are called on cards.
export const kindNames = {
  AZTEC: "Aztec", CODABAR: "Codabar", CODE_39: "Code 39", CODE_93: "Code 93", CODE_128: "Code 128", DATA_MATRIX: "Data Matrix",
  EAN_8: "EAN-8", EAN_13: "EAN-13", ITF: "ITF", PDF_417: "PDF417", QR_CODE: "QR", UPC_A: "UPC-A", UPC_E: "UPC-E",
};
