/** What a caller of the JSON API did wrong, as it is told to them. */
export class ApiError extends Error {
	override readonly name = 'ApiError';
	readonly code: 'bad-parameter' | 'bad-cursor' | 'unknown-list' | 'unknown-chain' | 'not-found';
	/** The parameter that is meant. */
	readonly field: string | undefined;

	constructor(code: ApiError['code'], message: string, field?: string) {
		super(message);
		this.code = code;
		this.field = field;
	}

	get status(): 400 | 404 {
		return this.code.startsWith('bad-') ? 400 : 404;
	}
}
