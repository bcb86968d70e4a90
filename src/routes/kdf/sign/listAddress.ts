import type { RequestEvent } from '@sveltejs/kit';
import { denialSentence } from '#lib/messages/denials.ts';
import { kdfDemands } from '#lib/server/access/calls/demands.ts';
import type { Member } from '#lib/server/access/identity/identity.ts';
import { COUNTED_NOTHING } from '#lib/server/kdf/signing/addressListing.ts';
import type { Coin } from '#lib/server/kdf/coins/parse.ts';
import type { Signer, SigningProblem } from '#lib/server/kdf/signing/signing.ts';
import { explainSigning } from '../failureWords.ts';
import { judgedFor } from '../judged.ts';
import { notNow, type Problem } from './problem.ts';

/**
 * Has a node list the address of a path for a member, if it does not list it yet. Each call that this takes is
 * authorized before the first is sent, and again right before it is sent itself.
 */
export async function listAddress(
	event: RequestEvent,
	member: Member,
	node: string,
	coin: Coin,
	path: string | null
): Promise<{ signer: Signer } | { problem: Problem }> {
	const { app, requestId } = event.locals;
	const signing = app.activations.signingBy(judgedFor(event, member));
	const told = (problem: SigningProblem) => ({
		problem: explainSigning(node, coin.ticker, problem)
	});
	const found = await signing.signer(node, coin, path);
	if (!found.ok) return told(found.problem);
	const { unlisted } = found.signer;
	if (unlisted === null) return { signer: found.signer };
	const { account, chain, more, isNewAccount } = unlisted;
	const facts = { coin: coin.ticker, account_id: account };
	const calls = {
		...(isNewAccount ? { account: kdfDemands(node, 'task::create_new_account::init', facts) } : {}),
		addresses: kdfDemands(node, 'get_new_address', { ...facts, chain })
	};
	const giveBack = { ...COUNTED_NOTHING };
	for (const [what, call] of Object.entries(calls)) {
		const decision = await app.policy.authorizeCall(member, call, {
			requestId,
			entry: {
				actor: member.account.name,
				action: 'address.listed',
				target: coin.ticker,
				detail: { node, path: unlisted.path, addresses: more }
			}
		});
		if (decision.denial !== null) {
			await giveBack.account();
			return { problem: notNow(denialSentence(decision.denial)) };
		}
		giveBack[what as keyof typeof giveBack] = decision.giveBack;
	}
	const listed = await signing.list(node, coin, unlisted, giveBack);
	if (!listed.ok) return told(listed.problem);
	const now = await signing.signer(node, coin, path);
	return now.ok ? { signer: now.signer } : told(now.problem);
}
