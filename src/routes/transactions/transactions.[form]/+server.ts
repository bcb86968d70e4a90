import { transactionFile } from '#lib/server/wallet/transactions/list.ts';
import { listFile } from '../../listFile.ts';
import { readerOf } from '../../readers.ts';
import type { RequestHandler } from './$types';

/** Exports all transactions of a filter as a file. */
export const GET: RequestHandler = ({ locals, params, url }) =>
	listFile(locals, params.form, async (form) =>
		transactionFile(locals.app.db, await readerOf(locals), url.searchParams, form)
	);
