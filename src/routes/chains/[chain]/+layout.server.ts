import { unknownChain } from '#lib/messages/chainTabs.ts';
import { error } from '@sveltejs/kit';
import { importModeOf } from '#lib/server/chains/health/importMode.ts';
import type { LayoutServerLoad } from './$types';

export const load: LayoutServerLoad = ({ locals, params }) => {
	if (!locals.app.gateway.chains().includes(params.chain)) error(404, unknownChain(params.chain));
	const { mode } = importModeOf(locals.app.gateway, params.chain);
	return { chain: params.chain, selfImport: mode === 'PUBKEY' };
};
