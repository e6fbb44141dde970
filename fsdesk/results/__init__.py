"""Results of finished runs: records, exports, report."""
