/** Explains in a sentence why a database cannot be opened: operators need no stack trace. */
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseErrorKind } from '#lib/messages/database.ts';
import { fileFault } from '#lib/messages/fileFaults.ts';
import { AppError } from '../errors/appError.ts';
import { databaseErrorKind, TLS_CODE } from './databaseError.ts';

/** Where a database is. Messages do not repeat the URL, which may contain a password. */
interface Place {
	url?: string | undefined;
	dataDir: string;
}

/** Returns the system's error for opening a file, which SQLite does not report; null if it can be opened. */
function refusalOf(file: string): unknown {
	try {
		closeSync(openSync(file, 'r+'));
		return null;
	} catch (refused) {
		return refused;
	}
}

type StartKind = Exclude<DatabaseErrorKind, 'schema'>;

/** Returns which part of the URL a server refuses, according to an error or its causes. */
function refusedBy(error: unknown): 'no-database' | 'login' | 'tls' {
	if (!(error instanceof Error)) return 'login';
	const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
	if (TLS_CODE.test(code) || error.message.includes('SSL connection')) return 'tls';
	// invalid_catalog_name (PostgreSQL manual, appendix A)
	if (code === '3D000') return 'no-database';
	return refusedBy(error.cause);
}

function whyOfServer(kind: StartKind, error: unknown) {
	if (kind === 'refused') return refusedBy(error);
	return kind === 'read-only' ? 'server-read-only' : kind;
}

function whyOfFile(kind: StartKind, isIndex: boolean) {
	if (isIndex && kind === 'damaged') return 'index-damaged';
	return kind === 'gone' || kind === 'refused' ? 'unopened' : kind;
}

/**
 * Returns the error to throw instead of a database error at opening; other errors are returned unchanged.
 *
 * @param file name of the SQLite file in the data folder
 * @param isIndex whether it is the index, which can be rebuilt from the chains
 */
export function startError(
	error: unknown,
	{ url, dataDir }: Place,
	{ file, isIndex }: { file: string; isIndex: boolean }
): unknown {
	const kind = databaseErrorKind(error);
	// At start a missing table is a failed schema step, which the error names.
	if (kind === null || kind === 'schema') return error;
	const why = url ? whyOfServer(kind, error) : whyOfFile(kind, isIndex);
	if (why === 'unopened') {
		const refused = refusalOf(join(dataDir, file));
		if (fileFault(refused) !== null) return refused;
	}
	return new AppError(
		'database.unusable',
		{ file: url ? null : join(dataDir, file), why },
		{ cause: error }
	);
}
