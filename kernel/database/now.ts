/** SQL: the time of the database server in epoch milliseconds. Nodes may have different clocks. Not for SQLite. */
export const NOW = "timestampdiff(microsecond, '1970-01-01', utc_timestamp(3)) div 1000"
