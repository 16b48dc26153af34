import CViewfinder
func placeholder() { _ = unsafe vf_failure() }
