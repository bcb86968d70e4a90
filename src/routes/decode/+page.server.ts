import { explanationShown } from '#lib/messages/decoder/explanation.ts';
import { explainFaultMessage } from '#lib/messages/decoder/faults.ts';
import { decodePage } from '#lib/messages/pages/decode.ts';
import { explainHex } from '#lib/chain/explain.ts';
import type { DaemonInfo } from '#lib/server/chains/daemon/types.ts';
import type { Actions, PageServerLoad } from './$types';

/** Maximum hex characters of a shareable link. */
const LINK_LIMIT = 4_000;
/** Maximum hex digits, two per byte; a block has at most 4 MiB, and most data is far smaller. */
const TEXT_LIMIT = 1_000_000;

/** Structures of which a block's hash is shown. */
const WITH_BLOCK_HASH: ReadonlySet<string> = new Set(['block', 'block-header', 'txout-proof']);

/**
 * Decodes a text. An empty one is an error only when it was submitted.
 * @param daemons the configured ones: where a chain does not use Equihash, block hashes cannot be computed
 */
function decode(text: string, sent: boolean, daemons: readonly DaemonInfo[]) {
	const hex = text.replace(/\s+/g, '');
	const nothing = { text, problem: null, readings: [], otherHashes: [], link: null };
	if (hex === '' && !sent) return nothing;
	if (hex.length > TEXT_LIMIT) {
		return { ...nothing, text: '', problem: decodePage.tooLong(hex.length, TEXT_LIMIT) };
	}
	const found = explainHex(hex);
	if ('code' in found) return { ...nothing, problem: explainFaultMessage(found) };
	const nodes = [found, ...(found.alternatives ?? [])];
	const others = daemons.flatMap(({ chain, algorithm }) => (algorithm === null ? [] : chain));
	return {
		...nothing,
		/** Most likely reading first. */
		readings: nodes.map((node) => explanationShown(node)),
		/** Chains of which the shown hashes of blocks are not. */
		otherHashes: nodes.some(({ label }) => WITH_BLOCK_HASH.has(label.code))
			? [...new Set(others)]
			: [],
		link: hex.length > LINK_LIMIT ? null : `/decode?hex=${encodeURIComponent(hex)}`
	};
}

export const load: PageServerLoad = ({ url, locals }) =>
	decode(url.searchParams.get('hex') ?? '', false, locals.app.gateway.daemons());

export const actions: Actions = {
	default: async ({ request, locals }) => {
		const text = (await request.formData()).get('hex');
		return decode(typeof text === 'string' ? text : '', true, locals.app.gateway.daemons());
	}
};
