import { error } from '@sveltejs/kit';
import type { LayoutServerLoad } from './$types';

export const load: LayoutServerLoad = ({ locals, params }) => {
	if (!locals.app.gateway.chains().includes(params.chain))
		error(404, `No chain with the name “${params.chain}” is configured here.`);
	return { chain: params.chain };
};
