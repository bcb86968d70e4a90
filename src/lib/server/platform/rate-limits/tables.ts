import type { Int64, NullableInt64 } from '../database/columns.ts';

/** Counters of rate limits, shared by all replicas. */
export interface ThrottleTable {
	key: string;
	points: Int64;
	expires_at: NullableInt64;
}

export interface ThrottleTables {
	throttle: ThrottleTable;
}
