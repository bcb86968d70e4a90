import { writeEntries } from '#lib/server/wallet/address-book/csv.ts';
import type { RequestHandler } from './$types';

/** Exports the whole address book as a file that can be imported. */
export const GET: RequestHandler = async ({ locals }) =>
	new Response(writeEntries(await locals.app.addressBook.all()), {
		headers: {
			'content-type': 'text/csv; charset=utf-8',
			'content-disposition': 'attachment; filename="address-book.csv"',
			'cache-control': 'private, no-store'
		}
	});
