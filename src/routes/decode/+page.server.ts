import { explanationShown } from '#lib/messages/decoder/explanation.ts';
import { explainFaultMessage } from '#lib/messages/decoder/faults.ts';
import { decodePage } from '#lib/messages/pages/decode.ts';
import { explainHex } from '#lib/chain/explain.ts';
import type { Actions, PageServerLoad } from './$types';

/** Maximum hex characters of a shareable link. */
const LINK_LIMIT = 4_000;
/** Maximum hex digits, two per byte; a block has at most 4 MiB, and most data is far smaller. */
const TEXT_LIMIT = 1_000_000;

/** Decodes a text. An empty one is an error only when it was submitted. */
function decode(text: string, sent: boolean) {
	const hex = text.replace(/\s+/g, '');
	const nothing = { text, problem: null, readings: [], link: null };
	if (hex === '' && !sent) return nothing;
	if (hex.length > TEXT_LIMIT) {
		return { ...nothing, text: '', problem: decodePage.tooLong(hex.length, TEXT_LIMIT) };
	}
	const found = explainHex(hex);
	if ('code' in found) return { ...nothing, problem: explainFaultMessage(found) };
	return {
		...nothing,
		/** Most likely reading first. */
		readings: [found, ...(found.alternatives ?? [])].map((node) => explanationShown(node)),
		link: hex.length > LINK_LIMIT ? null : `/decode?hex=${encodeURIComponent(hex)}`
	};
}

export const load: PageServerLoad = ({ url }) => decode(url.searchParams.get('hex') ?? '', false);

export const actions: Actions = {
	default: async ({ request }) => {
		const text = (await request.formData()).get('hex');
		return decode(typeof text === 'string' ? text : '', true);
	}
};
