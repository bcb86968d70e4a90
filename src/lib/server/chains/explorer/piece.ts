/**
 * One block of data of a page, with its own state: a page is never lost because one daemon is down.
 */

import type { DaemonErrorCode } from '../daemon/daemonError.ts';

/** Why a block of data is not fresh, in words for the page. */
export interface Problem {
	/** Stable: of the failed call; `index`: the index waits; `failed`: anything else. */
	code: DaemonErrorCode | 'failed' | 'index';
	/** A whole sentence: "ALPHA does not answer since 12:03 UTC." */
	words: string;
}

/** Data as it is now, data as it was last known, or none. `at` is Unix milliseconds of the answer. */
export type Piece<T> =
	| { state: 'fresh'; data: T; at: number; problem: null }
	| { state: 'stale'; data: T; at: number; problem: Problem }
	| { state: 'missing'; data: null; at: null; problem: Problem };

/** What is known from elsewhere, and of when. `at` is Unix milliseconds. */
export interface Known<T> {
	data: T;
	at: number;
}

export const fresh = <T>(data: T, at: number): Piece<T> => ({
	state: 'fresh',
	data,
	at,
	problem: null
});

export const stale = <T>(data: T, at: number, problem: Problem): Piece<T> => ({
	state: 'stale',
	data,
	at,
	problem
});

export const missing = <T>(problem: Problem): Piece<T> => ({
	state: 'missing',
	data: null,
	at: null,
	problem
});

/** The same piece with its data shaped for a page; what is missing stays missing. */
export function mapPiece<T, U>(piece: Piece<T>, shape: (data: T) => U): Piece<U> {
	return piece.state === 'missing' ? piece : { ...piece, data: shape(piece.data) };
}
