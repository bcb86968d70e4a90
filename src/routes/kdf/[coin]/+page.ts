import type { PageLoad } from './$types';

/** Loads only the form that fits the coin, and the view of an active coin only for one. */
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
