declare module 'rate-limiter-flexible/lib/RateLimiterStoreAbstract.js' {
	import type { IRateLimiterOptions, RateLimiterRes } from 'rate-limiter-flexible';

	/** Base class of the library's stores; its package exports the type but not the class. */
	export default abstract class RateLimiterStoreAbstract<Row> {
		constructor(options: IRateLimiterOptions);
		readonly points: number;
		consume(key: string, points?: number): Promise<RateLimiterRes>;
		reward(key: string, points?: number): Promise<RateLimiterRes>;
		penalty(key: string, points?: number): Promise<RateLimiterRes>;
		get(key: string): Promise<RateLimiterRes | null>;
		delete(key: string): Promise<boolean>;
		protected abstract _upsert(
			key: string,
			points: number,
			milliseconds: number,
			force?: boolean
		): Promise<Row>;
		protected abstract _get(key: string): Promise<Row | null>;
		protected abstract _delete(key: string): Promise<boolean>;
		protected abstract _getRateLimiterRes(key: string, changed: number, row: Row): RateLimiterRes;
	}
}
