/** Why a database cannot be opened, in a sentence: whoever starts the server or a command needs no stack. */
import { join } from 'node:path';
import { AppError } from '../errors/appError.ts';
import { databaseErrorKind } from './databaseError.ts';

/** Where a database is, for people; an address may hold a password, so it is not repeated. */
interface Place {
	url?: string | undefined;
	dataDir: string;
}

/**
 * What is thrown instead of an error of a database that cannot be opened.
 *
 * @param file name of the SQLite file in the data folder
 * @param isIndex whether it can be built again from the chains
 */
export function startError(
	error: unknown,
	{ url, dataDir }: Place,
	{ file, isIndex }: { file: string; isIndex: boolean }
): unknown {
	const kind = databaseErrorKind(error);
	if (kind === null) return error;
	const why = isIndex && kind === 'damaged' && !url ? 'index-damaged' : kind;
	return new AppError(
		'database.unusable',
		{ file: url ? null : join(dataDir, file), why },
		{ cause: error }
	);
}
