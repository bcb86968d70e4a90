import { formFaults } from '#lib/messages/activation/formFaults.ts';
import { chainErrorMessage } from '#lib/messages/chainErrors.ts';
import { verifyPage } from '#lib/messages/pages/kdfSigning.ts';
import type { Coins } from '#lib/server/kdf/coins/coins.ts';
import { verify, type Unreadable, type Verdict } from '#lib/server/kdf/signing/verifySignature.ts';
import { lines, readForm, trimmed } from '#lib/server/platform/http/readForm.ts';
import type { Actions, PageServerLoad } from './$types';

/** Longer than any address or signature. */
const MOST_TEXT = 300;
/** Maximum characters of a shareable link: servers and messengers truncate or refuse longer ones. */
const LINK_LIMIT = 8_000;

/** The values to verify. The message is never truncated: that would be another message. */
interface Typed {
	coin: string;
	address: string;
	message: string;
	signature: string;
}

function linkOf(typed: Typed): string | null {
	const link = `/kdf/verify?${new URLSearchParams({ ...typed })}`;
	return link.length > LINK_LIMIT ? null : link;
}

function faultWords(ticker: string, fault: Unreadable): string {
	switch (fault.field) {
		case 'coin':
			return formFaults.verify.noPrefix(ticker);
		case 'address':
			return formFaults.verify.addressOf[fault.needs];
		case 'signature':
			return chainErrorMessage(fault.error);
	}
}

/** Verifies a signature locally; nothing is stored, and no node is called. */
async function verified(coins: Coins, { coin: ticker, message, ...given }: Typed) {
	const address = given.address.slice(0, MOST_TEXT);
	const signature = given.signature.slice(0, MOST_TEXT);
	const typed = { coin: ticker.slice(0, MOST_TEXT), address, message, signature };
	const errors: Partial<Record<'coin' | 'address' | 'signature', string>> = {};
	let verdict: Verdict | null = null;
	const coin = await coins.find(typed.coin);
	if (!coin) errors.coin = verifyPage.faults.coin;
	else if (address === '') errors.address = verifyPage.faults.address;
	else if (signature === '') errors.signature = verifyPage.faults.signature;
	else {
		verdict = verify(coin, address, message, signature);
		if (verdict.kind === 'unreadable')
			errors[verdict.fault.field] = faultWords(coin.ticker, verdict.fault);
	}
	const said = verdict?.kind === 'unreadable' ? null : verdict;
	return { typed, errors, verdict: said, link: said === null ? null : linkOf(typed) };
}

/** Returns the values that a link fills in. */
function typedIn({ searchParams }: URL): Typed {
	const text = (name: string): string => (searchParams.get(name) ?? '').trim();
	const message = (searchParams.get('message') ?? '').replaceAll('\r\n', '\n');
	return { coin: text('coin'), address: text('address'), message, signature: text('signature') };
}

export const load: PageServerLoad = async ({ locals, url }) => {
	const { coins } = locals.app.activations;
	const known = (await coins.catalog()).coins.filter(
		({ signMessagePrefix }) => signMessagePrefix !== null
	);
	const typed = typedIn(url);
	const isAsked = typed.address !== '' || typed.signature !== '';
	return {
		coins: known.map(({ ticker, name }) => ({ ticker, name })),
		...(isAsked ? await verified(coins, typed) : { typed, errors: {}, verdict: null, link: null })
	};
};

export const actions: Actions = {
	/** By POST, because a message may be too long for a URL, and does not belong in the logs of proxies. */
	default: async ({ request, locals }) => {
		const typed = await readForm(request, {
			coin: trimmed,
			address: trimmed,
			message: lines,
			signature: trimmed
		});
		return verified(locals.app.activations.coins, typed);
	}
};
