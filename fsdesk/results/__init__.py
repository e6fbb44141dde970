"""What a run found: results, exports, report."""
