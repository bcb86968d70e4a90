import { verifyPage } from '#lib/messages/pages/kdfSigning.ts';
import { verify, type Verdict } from '#lib/server/kdf/activation/signing.ts';
import type { PageServerLoad } from './$types';

/** Longer than any address or signature. */
const MOST_TEXT = 300;

export const load: PageServerLoad = async ({ locals, url }) => {
	const { coins } = locals.app.activations;
	const text = (name: string): string =>
		(url.searchParams.get(name) ?? '').trim().slice(0, MOST_TEXT);
	const typed = {
		coin: text('coin'),
		address: text('address'),
		// All of it, however long: the signature of another text is another one.
		message: (url.searchParams.get('message') ?? '').replaceAll('\r\n', '\n'),
		signature: text('signature')
	};
	const known = (await coins.book()).coins.filter(
		({ signMessagePrefix }) => signMessagePrefix !== null
	);
	const asked = typed.address !== '' || typed.signature !== '';
	const errors: Partial<Record<'coin' | 'address' | 'signature', string>> = {};
	let verdict: Verdict | null = null;
	if (asked) {
		const coin = await coins.find(typed.coin);
		if (!coin) errors.coin = verifyPage.faults.coin;
		else if (typed.address === '') errors.address = verifyPage.faults.address;
		else if (typed.signature === '') errors.signature = verifyPage.faults.signature;
		else {
			verdict = verify(coin, typed.address, typed.message, typed.signature);
			if (verdict.kind === 'unreadable') errors[verdict.field] = verdict.words;
		}
	}
	return {
		coins: known.map(({ ticker, name }) => ({ ticker, name })),
		typed,
		errors,
		verdict: verdict?.kind === 'unreadable' ? null : verdict
	};
};
