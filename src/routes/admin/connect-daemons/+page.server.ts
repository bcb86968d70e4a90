import { findDaemons } from '#lib/server/connectDaemons.ts';
import type { PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ locals: { app }, setHeaders }) => {
	setHeaders({ 'cache-control': 'private, no-store' });
	return { ...(await findDaemons(process.env, app.gateway)), isDevnet: app.devnet };
};
