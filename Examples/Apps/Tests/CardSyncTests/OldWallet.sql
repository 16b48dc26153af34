-- What my-cards had written before its fields stood in one list: three cards, of which one waits and one is deleted.
CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
CREATE TABLE wallet (id TEXT NOT NULL);
CREATE TABLE record (
  id TEXT PRIMARY KEY,
  edit TEXT NOT NULL,
  content BLOB NOT NULL,
  json BLOB NOT NULL,
  isDeleted INTEGER NOT NULL,
  isStarred INTEGER NOT NULL,
  isArchived INTEGER NOT NULL,
  isKept INTEGER NOT NULL,
  sortKey TEXT NOT NULL,
  searchText TEXT NOT NULL
);
CREATE TABLE membership (
  name TEXT NOT NULL,
  card TEXT NOT NULL REFERENCES record (id) ON DELETE CASCADE,
  PRIMARY KEY (name, card)
) WITHOUT ROWID;
CREATE TABLE former (
  id TEXT PRIMARY KEY,
  json BLOB NOT NULL,
  isSame INTEGER NOT NULL,
  date REAL NOT NULL
, old REAL);
CREATE TABLE backend (
  key INTEGER PRIMARY KEY,
  address TEXT NOT NULL UNIQUE,
  cursor TEXT,
  honoursConditions INTEGER
, account BLOB);
CREATE TABLE base (
  backend INTEGER NOT NULL,
  id TEXT NOT NULL,
  edit TEXT NOT NULL,
  etag TEXT NOT NULL,
  json BLOB NOT NULL,
  PRIMARY KEY (backend, id)
) WITHOUT ROWID;
CREATE TABLE offer (
  backend INTEGER NOT NULL,
  id TEXT NOT NULL,
  edit TEXT NOT NULL,
  json BLOB NOT NULL,
  PRIMARY KEY (id, edit, backend)
) WITHOUT ROWID;
CREATE TABLE refusal (
  backend INTEGER NOT NULL,
  id TEXT NOT NULL,
  edit TEXT NOT NULL,
  reason TEXT NOT NULL,
  PRIMARY KEY (backend, id)
) WITHOUT ROWID;
CREATE TABLE picture (
  place INTEGER NOT NULL,
  hash TEXT NOT NULL,
  state TEXT NOT NULL,
  card TEXT,
  reason TEXT,
  PRIMARY KEY (place, hash)
) WITHOUT ROWID;
CREATE TABLE "seen" (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  edit TEXT NOT NULL,
  content BLOB NOT NULL,
  UNIQUE (id, edit)
);
CREATE INDEX recordByName ON record (isDeleted, isStarred DESC, sortKey, id);
CREATE INDEX recordByKept ON record (id) WHERE isKept;
CREATE INDEX membershipByCard ON membership (card);
CREATE INDEX seenByAge ON seen (id, number);
INSERT INTO grdb_migrations VALUES ('1');
INSERT INTO grdb_migrations VALUES ('2');
INSERT INTO grdb_migrations VALUES ('3');
INSERT INTO wallet VALUES ('42853e55-9c6f-4acc-b18b-d1250be16d59');
INSERT INTO backend VALUES (1, 'http://127.0.0.1:18123', '6-56fdb764-c8b1-4b35-847b-63cdc48beea4', 1, CAST('{"server":"f47feaf5-2bf5-43fe-ab2f-0ca599b3d851","person":{"id":"1","name":"anna"}}' AS BLOB));
INSERT INTO record VALUES ('8b0f3a7e-9e5a-4c21-8a40-0d8a1f9f2b11', '51d6266d-c561-4aca-ba5c-d53cf01f57e6', x'37ee3e592e42715dd8b5e33114d47ad3f93185ff2e3add0ef0f454c65561df0f', CAST('{"back":{"picture":"3827720fcbd86ec7d75401205253803c7929d5925d3cbd108c56ebb700fde253"},"balance":"10.5","balanceType":"EUR","barcodeId":"QR-7","barcodeType":"QR_CODE","cardId":"4006381333931","edit":"51d6266d-c561-4aca-ba5c-d53cf01f57e6","edits":{"42853e55-9c6f-4acc-b18b-d1250be16d59":"51d6266d-c561-4aca-ba5c-d53cf01f57e6"},"expiry":"2026-12-31","front":{"picture":"3827720fcbd86ec7d75401205253803c7929d5925d3cbd108c56ebb700fde253"},"groups":["Food","Sport"],"headerColor":"#0a67d1","id":"8b0f3a7e-9e5a-4c21-8a40-0d8a1f9f2b11","lastUsed":"2023-11-14T22:13:20Z","name":"Corner bakery","note":"Ask for the stamp","starStatus":true,"validFrom":"2026-01-01"}' AS BLOB), 0, 1, 0, 0, 'corner bakery', 'corner bakery
ask for the stamp
4006381333931
food
sport');
INSERT INTO record VALUES ('8b0f3a7e-9e5a-4c21-8a40-0d8a1f9f2b12', '66b6e8d8-6dc9-4e93-a94b-0748dee7dab2', x'2772df8adac57dd0a4fcff7d263eb249daed334909650e20fb1f21181f187f9e', CAST('{"archiveStatus":true,"back":{"picture":"f8dbbc9e18543125284548d0084ab55f9b8a3fd0fe4b5e243495fb13704e5215"},"barcodeType":"CODE_128","cardId":"A-7","edit":"66b6e8d8-6dc9-4e93-a94b-0748dee7dab2","edits":{"42853e55-9c6f-4acc-b18b-d1250be16d59":"66b6e8d8-6dc9-4e93-a94b-0748dee7dab2"},"front":{"picture":"f8dbbc9e18543125284548d0084ab55f9b8a3fd0fe4b5e243495fb13704e5215"},"id":"8b0f3a7e-9e5a-4c21-8a40-0d8a1f9f2b12","name":"Pool","note":"waits"}' AS BLOB), 0, 0, 1, 0, 'pool', 'pool
waits
a-7');
INSERT INTO record VALUES ('8b0f3a7e-9e5a-4c21-8a40-0d8a1f9f2b13', '87ce8721-412b-4673-9997-0a3f6e1df688', x'0801435f0fef3e28df605087e51a05c47ed64f86693c894ea5d68e88a761c607', CAST('{"deleted":true,"edit":"87ce8721-412b-4673-9997-0a3f6e1df688","edits":{"42853e55-9c6f-4acc-b18b-d1250be16d59":"87ce8721-412b-4673-9997-0a3f6e1df688"},"id":"8b0f3a7e-9e5a-4c21-8a40-0d8a1f9f2b13"}' AS BLOB), 1, 0, 0, 0, '', '');
INSERT INTO membership VALUES ('Food', '8b0f3a7e-9e5a-4c21-8a40-0d8a1f9f2b11');
INSERT INTO membership VALUES ('Sport', '8b0f3a7e-9e5a-4c21-8a40-0d8a1f9f2b11');
INSERT INTO former VALUES ('8b0f3a7e-9e5a-4c21-8a40-0d8a1f9f2b13', CAST('{"back":{"picture":"f8dbbc9e18543125284548d0084ab55f9b8a3fd0fe4b5e243495fb13704e5215"},"edit":"f4c896d3-0d53-4d3e-8936-50aed9645f16","edits":{"42853e55-9c6f-4acc-b18b-d1250be16d59":"f4c896d3-0d53-4d3e-8936-50aed9645f16"},"front":{"picture":"f8dbbc9e18543125284548d0084ab55f9b8a3fd0fe4b5e243495fb13704e5215"},"id":"8b0f3a7e-9e5a-4c21-8a40-0d8a1f9f2b13","name":"Gone"}' AS BLOB), 0, 1795574997.671326, NULL);
INSERT INTO base VALUES (1, '8b0f3a7e-9e5a-4c21-8a40-0d8a1f9f2b11', '51d6266d-c561-4aca-ba5c-d53cf01f57e6', '"56fdb764-c8b1-4b35-847b-63cdc48beea4"', CAST('{"back":{"picture":"3827720fcbd86ec7d75401205253803c7929d5925d3cbd108c56ebb700fde253"},"balance":"10.5","balanceType":"EUR","barcodeId":"QR-7","barcodeType":"QR_CODE","cardId":"4006381333931","edit":"51d6266d-c561-4aca-ba5c-d53cf01f57e6","edits":{"42853e55-9c6f-4acc-b18b-d1250be16d59":"51d6266d-c561-4aca-ba5c-d53cf01f57e6"},"expiry":"2026-12-31","front":{"picture":"3827720fcbd86ec7d75401205253803c7929d5925d3cbd108c56ebb700fde253"},"groups":["Food","Sport"],"headerColor":"#0a67d1","id":"8b0f3a7e-9e5a-4c21-8a40-0d8a1f9f2b11","lastUsed":"2023-11-14T22:13:20Z","name":"Corner bakery","note":"Ask for the stamp","starStatus":true,"validFrom":"2026-01-01"}' AS BLOB));
INSERT INTO base VALUES (1, '8b0f3a7e-9e5a-4c21-8a40-0d8a1f9f2b12', '5d97bf92-3e1d-42ea-ab19-da98d8efaad3', '"20d9bb55-35ad-4ccf-ace7-5254c121cbcd"', CAST('{"archiveStatus":true,"back":{"picture":"f8dbbc9e18543125284548d0084ab55f9b8a3fd0fe4b5e243495fb13704e5215"},"barcodeType":"CODE_128","cardId":"A-7","edit":"5d97bf92-3e1d-42ea-ab19-da98d8efaad3","edits":{"42853e55-9c6f-4acc-b18b-d1250be16d59":"5d97bf92-3e1d-42ea-ab19-da98d8efaad3"},"front":{"picture":"f8dbbc9e18543125284548d0084ab55f9b8a3fd0fe4b5e243495fb13704e5215"},"id":"8b0f3a7e-9e5a-4c21-8a40-0d8a1f9f2b12","name":"Pool"}' AS BLOB));
INSERT INTO base VALUES (1, '8b0f3a7e-9e5a-4c21-8a40-0d8a1f9f2b13', '87ce8721-412b-4673-9997-0a3f6e1df688', '"3306317d-346f-4449-a6a6-f29c8d483589"', CAST('{"deleted":true,"edit":"87ce8721-412b-4673-9997-0a3f6e1df688","edits":{"42853e55-9c6f-4acc-b18b-d1250be16d59":"87ce8721-412b-4673-9997-0a3f6e1df688"},"id":"8b0f3a7e-9e5a-4c21-8a40-0d8a1f9f2b13"}' AS BLOB));
INSERT INTO seen VALUES (1, '8b0f3a7e-9e5a-4c21-8a40-0d8a1f9f2b11', '0e250d80-0f34-4ab7-bc85-3614aefce334', x'573f2d6455776783d2ea152a4eb7e6f54cae1acf66bb9dfcfc1827b8f0d83500');
INSERT INTO seen VALUES (2, '8b0f3a7e-9e5a-4c21-8a40-0d8a1f9f2b12', '5d97bf92-3e1d-42ea-ab19-da98d8efaad3', x'7a46dedec8e957c1aa5c32a13b1e9d804b6986fbee6a13efaa86236d7a5e7b0c');
INSERT INTO seen VALUES (3, '8b0f3a7e-9e5a-4c21-8a40-0d8a1f9f2b13', 'f4c896d3-0d53-4d3e-8936-50aed9645f16', x'26a085b9d6fdf66a4bc08a21f1d7f9f54714346f6777cdd443e8928c410d54e7');
INSERT INTO seen VALUES (4, '8b0f3a7e-9e5a-4c21-8a40-0d8a1f9f2b11', '51d6266d-c561-4aca-ba5c-d53cf01f57e6', x'37ee3e592e42715dd8b5e33114d47ad3f93185ff2e3add0ef0f454c65561df0f');
INSERT INTO seen VALUES (5, '8b0f3a7e-9e5a-4c21-8a40-0d8a1f9f2b13', '87ce8721-412b-4673-9997-0a3f6e1df688', x'0801435f0fef3e28df605087e51a05c47ed64f86693c894ea5d68e88a761c607');
INSERT INTO seen VALUES (6, '8b0f3a7e-9e5a-4c21-8a40-0d8a1f9f2b12', '66b6e8d8-6dc9-4e93-a94b-0748dee7dab2', x'2772df8adac57dd0a4fcff7d263eb249daed334909650e20fb1f21181f187f9e');
INSERT INTO picture VALUES (1, '3827720fcbd86ec7d75401205253803c7929d5925d3cbd108c56ebb700fde253', 'sent', '8b0f3a7e-9e5a-4c21-8a40-0d8a1f9f2b11', NULL);
INSERT INTO picture VALUES (1, 'f8dbbc9e18543125284548d0084ab55f9b8a3fd0fe4b5e243495fb13704e5215', 'sent', '8b0f3a7e-9e5a-4c21-8a40-0d8a1f9f2b13', NULL);
