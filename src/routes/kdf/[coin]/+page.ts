import type { PageLoad } from './$types';

/** A browser fetches the one form that fits the coin, and what shows an active coin only where there is one. */
export const load: PageLoad = async ({ data }) => {
	const [active, evm, other] = await Promise.all([
		data.held === null ? null : import('./ActiveCoin.svelte'),
		data.evm === null ? null : import('./EvmForm.svelte'),
		data.evm === null ? import('./ActivateForm.svelte') : null
	]);
	return {
		...data,
		parts: {
			ActiveCoin: active?.default ?? null,
			EvmForm: evm?.default ?? null,
			ActivateForm: other?.default ?? null
		}
	};
};
