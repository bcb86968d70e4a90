import { fail } from '@sveltejs/kit';
import qrcode from 'qrcode-generator';
import { kdfDefinition } from '#lib/rpc/kdf/index.ts';
import { pathFaults } from '#lib/messages/activation/formFaults.ts';
import { denialSentence } from '#lib/messages/denials.ts';
import { signPage } from '#lib/messages/pages/kdfSigning.ts';
import { kdfDemands } from '#lib/server/access/calls/demands.ts';
import type { App as Komodeck } from '#lib/server/appTypes.ts';
import { MOST_MESSAGE, type Signer } from '#lib/server/kdf/signing/signing.ts';
import { pathOfParts, readParts, readPath } from '#lib/server/kdf/signing/signingPath.ts';
import { qrPath } from '#lib/ui/values/qr.ts';
import { lines, readForm, text } from '#lib/server/platform/http/readForm.ts';
import { requireMember } from '../../requireMember.ts';
import { explainSigning } from '../failureWords.ts';
import { kdfView, mayTrade, requireKdf } from '../node.ts';
import type { Actions, PageServerLoad } from './$types';
import { judgedFor } from '../judged.ts';
import { listAddress } from './listAddress.ts';
import { notNow, type Problem } from './problem.ts';

const { faults } = signPage;

interface Typed {
	coin: string;
	message: string;
	path: string;
	account_id: string;
	chain: string;
	address_id: string;
}
type Field = keyof Typed;

const TYPED = {
	coin: text,
	message: lines,
	path: text,
	account_id: text,
	chain: text,
	address_id: text
};

export const load: PageServerLoad = async ({ locals, url, setHeaders }) => {
	setHeaders({ 'cache-control': 'private, no-store' });
	const { nodes, node } = await requireKdf(locals.app.activations, url);
	const { coins, known } = await locals.app.activations.signers(node.id);
	return {
		node: kdfView(node),
		mayList: mayTrade(locals.identity).activate,
		several: nodes.length > 1,
		coins: coins.map(({ ticker, name, signMessagePrefix, derivationPath }) => ({
			ticker,
			name,
			prefix: signMessagePrefix !== null,
			path: derivationPath
		})),
		known,
		most: MOST_MESSAGE,
		initial: {
			coin: url.searchParams.get('coin') ?? coins[0]?.ticker ?? '',
			message: '',
			path: '',
			account_id: '',
			chain: '',
			address_id: ''
		} satisfies Typed
	};
};

/** Reads and validates the form. */
async function readTyped(request: Request, app: Komodeck) {
	// The address that was displayed before, if any.
	const { address: expected, ...typed } = await readForm(request, {
		address: text,
		...TYPED
	});
	const errors: Partial<Record<Field, string>> = {};
	const coin = await app.activations.coins.find(typed.coin);
	if (!coin) errors.coin = faults.coin;
	else if (coin.signMessagePrefix === null) {
		errors.coin = faults.noPrefix(coin.ticker);
	}
	const bytes = new TextEncoder().encode(typed.message).length;
	if (bytes === 0) errors.message = faults.noMessage;
	else if (bytes > MOST_MESSAGE) {
		errors.message = faults.tooLong(bytes, MOST_MESSAGE);
	}
	const path = readPath(typed.path);
	if (!path.ok) errors.path = pathFaults[path.fault];
	const parts = readParts(typed);
	if (!parts.ok) errors[parts.field] = pathFaults[parts.fault];
	const byParts = parts.ok ? parts.parts : null;
	let chosen = path.ok ? path.path : null;
	if (coin && byParts !== null && path.ok) {
		const same = pathOfParts(coin, byParts);
		if (chosen !== null && chosen !== same) {
			errors.path = faults.otherPath(same);
		}
		chosen ??= same;
	}
	return { typed, expected, errors, coin, path: chosen, parts: byParts };
}

interface Outcome {
	typed: Typed;
	errors: Partial<Record<Field, string>>;
	problem: Problem | null;
	signer: Signer | null;
	signed: {
		signature: string;
		address: string;
		path: string | null;
		link: string;
		qr: { path: string; size: number } | null;
	} | null;
}

const outcome = (typed: Typed, more: Partial<Outcome>): Outcome => ({
	typed,
	errors: {},
	problem: null,
	signer: null,
	signed: null,
	...more
});

export const actions: Actions = {
	/** Shows the address that would sign. */
	show: async ({ request, locals, url }) => {
		const { app } = locals;
		const { node } = await requireKdf(app.activations, url);
		const { typed, errors, coin, path } = await readTyped(request, app);
		if (!coin || Object.keys(errors).length > 0) return fail(400, outcome(typed, { errors }));
		const off = await app.safetyControls.refusal(kdfDefinition('sign_message'));
		if (off !== null) return fail(409, outcome(typed, { problem: notNow(off.message) }));
		const found = await app.activations.signing.signer(node.id, coin, path);
		return found.ok
			? outcome(typed, { signer: found.signer })
			: fail(409, outcome(typed, { problem: explainSigning(node.id, coin.ticker, found.problem) }));
	},

	/** Returns to the form, with what was typed. */
	edit: async ({ request }) => outcome(await readForm(request, TYPED), {}),

	/** Lets the node list the address, so that it is known before signing. */
	list: async (event) => {
		const { request, locals, url } = event;
		const member = requireMember(locals);
		const { app } = locals;
		const { node } = await requireKdf(app.activations, url);
		const { typed, errors, coin, path } = await readTyped(request, app);
		if (!coin || Object.keys(errors).length > 0) return fail(400, outcome(typed, { errors }));
		const listed = await listAddress(event, member, node.id, coin, path);
		return 'signer' in listed ? outcome(typed, listed) : fail(409, outcome(typed, listed));
	},

	sign: async (event) => {
		const { request, locals, url } = event;
		const member = requireMember(locals);
		const { app } = locals;
		const { node } = await requireKdf(app.activations, url);
		const { typed, expected, errors, coin, path, parts } = await readTyped(request, app);
		if (!coin || Object.keys(errors).length > 0) return fail(400, outcome(typed, { errors }));
		const decision = await app.policy.authorizeCall(
			member,
			kdfDemands(node.id, 'sign_message', { coin: coin.ticker, message: typed.message }),
			{
				requestId: locals.requestId,
				entry: {
					actor: member.account.name,
					action: 'message.signed',
					target: coin.ticker,
					detail: { node: node.id, message: typed.message, path, address: expected }
				}
			}
		);
		if (decision.denial !== null) {
			return fail(409, outcome(typed, { problem: notNow(denialSentence(decision.denial)) }));
		}
		const signed = await app.activations
			.signingBy(judgedFor(event, member))
			.sign(
				node.id,
				coin,
				typed.message,
				path,
				expected === '' ? null : expected,
				parts,
				decision.giveBack
			);
		if (!signed.ok) {
			const problem = explainSigning(node.id, coin.ticker, signed.problem);
			return fail(409, outcome(typed, { problem }));
		}
		const { signature, address } = signed;
		const query = new URLSearchParams({
			coin: coin.ticker,
			address,
			message: typed.message,
			signature
		});
		return outcome(typed, {
			signed: {
				signature,
				address,
				path: signed.path,
				link: `${app.auth.origin ?? url.origin}/kdf/verify?${query}`,
				qr: qrPath(qrcode, signature)
			}
		});
	}
};
