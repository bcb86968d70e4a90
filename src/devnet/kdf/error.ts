import type { JsonValue } from '#lib/rpc/json.ts';

/** Source location of an error, as the node reports it; informational only, clients must not match it. */
interface Origin {
	path: string;
	trace: string;
}

/** A version 2 error: a stable type, its data, and a message. */
export class KdfError extends Error {
	override readonly name = 'KdfError';
	readonly status: number;
	readonly type: string;
	/** Undefined for a type without data. */
	readonly data: JsonValue | undefined;
	readonly origin: Origin;

	constructor(
		status: number,
		type: string,
		message: string,
		data?: JsonValue,
		origin: Origin = { path: 'lp_coins', trace: 'lp_coins:5408]' }
	) {
		super(message);
		this.status = status;
		this.type = type;
		this.data = data;
		this.origin = origin;
	}

	/** Returns the members of the error object, in the node's order. */
	members(): { [name: string]: JsonValue } {
		return {
			error: this.message,
			error_path: this.origin.path,
			error_trace: this.origin.trace,
			error_type: this.type,
			...(this.data === undefined ? {} : { error_data: this.data })
		};
	}

	from(path: string, trace: string): KdfError {
		return new KdfError(this.status, this.type, this.message, this.data, { path, trace });
	}
}

/** A legacy error: a message, preceded by source locations. */
export class LegacyError extends Error {
	override readonly name = 'LegacyError';
	/** Members in addition to `error`, which then has no source locations. */
	readonly more: { [name: string]: JsonValue } | undefined;

	constructor(message: string, more?: { [name: string]: JsonValue }) {
		super(message);
		this.more = more;
	}
}

const DISPATCHER = (line: number): Origin => ({
	path: 'dispatcher',
	trace: `dispatcher:${line}]`
});

export const invalidRequest = (data: string, line = 143): KdfError =>
	new KdfError(400, 'InvalidRequest', `Error parsing request: ${data}`, data, DISPATCHER(line));

export const noSuchMethod = (): KdfError =>
	new KdfError(400, 'NoSuchMethod', 'No such method', undefined, DISPATCHER(305));

export const userpassNotSet = (): KdfError =>
	new KdfError(403, 'UserpassIsNotSet', 'Userpass is not set!', undefined, DISPATCHER(168));

export const banned = (): KdfError =>
	new KdfError(403, 'Banned', 'Your ip is banned.', undefined, DISPATCHER(112));
