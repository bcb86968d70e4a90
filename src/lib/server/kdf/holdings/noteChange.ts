/** Lets pages know what a script or the console changes at a node, as if a page had done it. */
import type { KdfMethod, KdfParams, KdfResult } from '#lib/rpc/kdf/index.ts';
import type { MadeCall, TakenCall } from '../client/kdfTypes.ts';
import type { Holdings } from './holdings.ts';
import { ACTIVATION_METHODS, firstCallOf } from '../coins/methods.ts';
import type { ActivationStore } from '../activation/store.ts';
import type { SwapSettingsStore } from './swapSettings.ts';

/** Calls that activate a coin, or begin to. */
const ACTIVATING: ReadonlySet<KdfMethod> = new Set(ACTIVATION_METHODS.map(firstCallOf));

/** Returns the coins that such a call is about: the one that it names, and tokens that are activated with it. */
function coinsOf(params: KdfParams<KdfMethod>): string[] {
	const named = (params ?? {}) as {
		readonly coin?: string;
		readonly ticker?: string;
		readonly erc20_tokens_requests?: readonly { readonly ticker: string }[];
	};
	const tokens = named.erc20_tokens_requests ?? [];
	return [named.coin, named.ticker, ...tokens.map(({ ticker }) => ticker)].filter(
		(coin) => coin !== undefined
	);
}

interface Known {
	holdings: Pick<Holdings, 'forget'>;
	swaps: SwapSettingsStore;
	store: Pick<ActivationStore, 'loseTask'>;
}

/** The settings of swaps that a call changes. */
const PARTS = {
	set_required_confirmations: ['confirmations'],
	set_requires_notarization: ['notarization'],
	disable_coin: ['confirmations', 'notarization']
} as const;
const isPart = (method: string): method is keyof typeof PARTS => Object.hasOwn(PARTS, method);

/**
 * Marks settings as unknown before a call that changes them is sent: after a crash or a lost answer, no stale
 * value remains.
 * @returns function that undoes this, for when the node did nothing
 */
export async function noteRequested(
	swaps: SwapSettingsStore,
	node: string,
	{ method, params }: MadeCall
): Promise<() => Promise<void>> {
	if (!isPart(method)) return () => Promise.resolve();
	const backs: (() => Promise<void>)[] = [];
	for (const coin of coinsOf(params)) backs.push(await swaps.doubt(node, coin, PARTS[method]));
	return async () => {
		for (const back of backs) await back();
	};
}

/** Updates what is known after a node has accepted a call: earlier values do not hold any more. */
export async function noteChange(
	{ holdings, swaps, store }: Known,
	node: string,
	{ method, params, result }: TakenCall
): Promise<void> {
	const forget = async (): Promise<void> => {
		for (const coin of coinsOf(params)) {
			holdings.forget(node, coin);
			await swaps.forget(node, coin);
		}
	};
	// Every call that begins a task returns its id, whatever the task does.
	if (method.startsWith('task::') && method.endsWith('::init') && result !== null) {
		await store.loseTask(node, (result as KdfResult<'task::enable_utxo::init'>).task_id);
	}
	switch (method) {
		case 'set_required_confirmations': {
			if (result === null) return forget();
			const { result: now } = result as KdfResult<typeof method>;
			return swaps.save(node, now.coin, { confirmations: now.confirmations });
		}
		case 'set_requires_notarization': {
			if (result === null) return forget();
			const { result: now } = result as KdfResult<typeof method>;
			return swaps.save(node, now.coin, { notarization: now.requires_notarization });
		}
		case 'disable_coin':
			return forget();
		default:
			// The settings of the activation are not stored.
			if (ACTIVATING.has(method)) await forget();
	}
}
