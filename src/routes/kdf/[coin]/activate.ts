/** Actions that test servers and activate a coin. */
import { fail, redirect } from '@sveltejs/kit';
import { denialSentence } from '#lib/messages/denials.ts';
import {
	evmTypedOf,
	takesEvmForm,
	type EvmErrors,
	type EvmTyped
} from '#lib/server/kdf/forms/evmForm.ts';
import { chosenNodes, readEvmForm } from '#lib/server/kdf/forms/readEvmForm.ts';
import { beginActivation } from '#lib/server/access/calls/beginActivation.ts';
import { typedOf, type Offer } from '#lib/server/kdf/forms/fields.ts';
import { chosenServers, readForm } from '#lib/server/kdf/forms/readForm.ts';
import type { Plain } from '#lib/server/kdf/client/plain.ts';
import { probeAll } from '#lib/server/kdf/egress/electrum.ts';
import { probeAllEvm } from '#lib/server/kdf/egress/evm.ts';
import { probeAllLight } from '#lib/server/kdf/egress/lightwalletd.ts';
import { refuseRuledToken } from '../../refuseRuledToken.ts';
import { requireMember } from '../../requireMember.ts';
import { mayTrade } from '../node.ts';
import { shownProbe } from '../probes.ts';
import { chosenActivation, sessionsOf, takesSockets, tokensOf } from './chosen.ts';
import { refused } from './refused.ts';
import type { RequestEvent } from './$types';

type Chosen = Awaited<ReturnType<typeof chosenActivation>>;

const evmRefused = (typed: EvmTyped, errors: EvmErrors) => fail(400, { evm: { typed, errors } });

/** Returns what the form for non-EVM coins can be filled with. */
async function offerOf({ locals }: RequestEvent, { coin, method, node }: Chosen): Promise<Offer> {
	const sockets = takesSockets(node);
	return {
		coin,
		method,
		sockets,
		servers: await locals.app.activations.serversOf(coin, sockets),
		mayName: mayTrade(locals.identity).admin
	};
}

/** Tests the selected servers without activating anything. */
export async function test(event: RequestEvent) {
	const chosen = await chosenActivation(event);
	const { coin, method } = chosen;
	const { egress } = event.locals.app.activations;
	const form = await event.request.formData();
	if (takesEvmForm(coin)) {
		const typed = evmTypedOf(form);
		const mayName = mayTrade(event.locals.identity).admin;
		const offer = { coin, method, tokens: [], sessions: [], mayName };
		const { urls, errors } = chosenNodes(typed, offer);
		if (Object.keys(errors).length > 0) return evmRefused(typed, errors);
		const probes = await probeAllEvm(egress, urls);
		return { evm: { typed, errors: {} }, probes: probes.map(shownProbe) };
	}
	const typed = typedOf(form);
	const { servers, lightServers, errors } = chosenServers(typed, await offerOf(event, chosen));
	if (Object.keys(errors).length > 0) return refused(400, typed, errors, null);
	const probes = await Promise.all([
		probeAll(egress, servers),
		probeAllLight(egress, lightServers)
	]);
	return { typed, errors: {}, probes: probes.flat().map(shownProbe) };
}

/** Starts the activation and redirects to its page. @returns why it was denied */
async function begin(
	{ locals }: RequestEvent,
	{ coin, node, method }: Chosen,
	params: { [name: string]: Plain }
): Promise<string> {
	const member = requireMember(locals);
	const { activations, policy } = locals.app;
	const asked = { node: node.id, method, coin: coin.ticker };
	const by = member.account.name;
	const begun = await beginActivation(policy, member, asked, (id) =>
		activations.begin({ id, ...asked, params, by })
	);
	if (begun.denial !== null) return denialSentence(begun.denial);
	redirect(303, `/kdf/tasks/${begun.id}${begun.joined ? '?joined=1' : ''}`);
}

export async function activate(event: RequestEvent) {
	const { locals, request } = event;
	requireMember(locals);
	await refuseRuledToken(locals);
	const chosen = await chosenActivation(event);
	const { coin, node, method } = chosen;
	const form = await request.formData();
	if (takesEvmForm(coin)) {
		const typed = evmTypedOf(form);
		const wantsSigner = typed.key === 'remote';
		const sessions = wantsSigner ? await sessionsOf(locals.app, node.id) : [];
		const read = readEvmForm(typed, {
			coin,
			method,
			tokens: await tokensOf(locals.app, coin),
			sessions: sessions?.map(({ topic }) => topic) ?? null,
			mayName: mayTrade(locals.identity).admin
		});
		if (!read.ok) return evmRefused(typed, read.errors);
		const problem = await begin(event, chosen, read.params);
		return fail(403, { evm: { typed, errors: {} }, problem });
	}
	const typed = typedOf(form);
	const read = readForm(typed, await offerOf(event, chosen));
	if (!read.ok) return refused(400, typed, read.errors, null);
	return refused(403, typed, {}, await begin(event, chosen, read.params));
}
