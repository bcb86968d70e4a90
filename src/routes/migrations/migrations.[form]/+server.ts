import { migrationFile } from '#lib/server/cross-chain/migration/list.ts';
import { listFile } from '../../listFile.ts';
import type { RequestHandler } from './$types';

/** Exports all migrations of a filter as a file. */
export const GET: RequestHandler = ({ locals, params, url }) =>
	listFile(locals, params.form, (form) => migrationFile(locals.app.db, url.searchParams, form));
