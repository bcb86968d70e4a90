/** A piece of a page's data with its own state, so that one unavailable daemon does not fail the whole page. */

import type { DaemonErrorCode } from '../daemon/daemonError.ts';

/** Why a piece is not fresh, for display. */
export interface Problem {
	/** Stable code: that of the failed call; `index` when the index does not advance; `failed` for anything else. */
	code: DaemonErrorCode | 'failed' | 'index';
	/** A complete sentence: "ALPHA does not answer since 12:03 UTC." */
	words: string;
}

/** Current data, last known data, or none. `at` is the Unix milliseconds of the answer. */
export type Piece<T> =
	| { state: 'fresh'; data: T; at: number; problem: null }
	| { state: 'stale'; data: T; at: number; problem: Problem }
	| { state: 'missing'; data: null; at: null; problem: Problem };

/** Data from another source, and its age. `at` is Unix milliseconds. */
export interface Known<T> {
	data: T;
	at: number;
}

/** A piece that was read just now. `at`: Unix milliseconds. */
export const fresh = <T>(data: T, at: number): Piece<T> => ({
	state: 'fresh',
	data,
	at,
	problem: null
});

/** A piece that was read earlier and cannot be read now. `at`: Unix milliseconds of the reading. */
export const stale = <T>(data: T, at: number, problem: Problem): Piece<T> => ({
	state: 'stale',
	data,
	at,
	problem
});

/** A piece that was never read, and cannot be read now. */
export const missing = <T>(problem: Problem): Piece<T> => ({
	state: 'missing',
	data: null,
	at: null,
	problem
});

/** Converts the data of a piece; a missing piece stays missing. */
export function mapPiece<T, U>(piece: Piece<T>, shape: (data: T) => U): Piece<U> {
	return piece.state === 'missing' ? piece : { ...piece, data: shape(piece.data) };
}
