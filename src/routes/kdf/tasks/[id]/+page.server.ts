import { error, fail, redirect } from '@sveltejs/kit';
import { activationEvents } from '#lib/messages/activation/events.ts';
import { activationReasons, unquotedReason } from '#lib/messages/activation/reasons.ts';
import { methodTitle } from '#lib/messages/pages/kdfActivation.ts';
import { kdfTask } from '#lib/messages/pages/kdf.ts';
import { activeCoin } from '#lib/messages/pages/kdfActive.ts';
import { readStored } from '#lib/messages/catalogue.ts';
import type { KdfMethod, KdfParams } from '#lib/rpc/kdf/index.ts';
import { beginActivation } from '#lib/server/access/calls/beginActivation.ts';
import { kdfDemands } from '#lib/server/access/calls/demands.ts';
import type { App as Komodeck } from '#lib/server/appTypes.ts';
import { factsOf } from '#lib/server/kdf/holdings/balances.ts';
import type { Coin } from '#lib/server/kdf/coins/parse.ts';
import type { ActivationRow } from '#lib/server/kdf/activation/activationRow.ts';
import { denialSentence } from '#lib/messages/denials.ts';
import { unreadableActivation, type Failure } from '#lib/messages/errors/activation.ts';
import { DEVICE, firstCallOf } from '#lib/server/kdf/coins/methods.ts';
import { padOf } from '#lib/server/kdf/activation/pads.ts';
import type { Plain } from '#lib/server/kdf/client/plain.ts';
import { RETRY_AFTER_S } from '#lib/server/kdf/activation/states.ts';
import { isStrange } from '#lib/server/kdf/coins/isStrange.ts';
import { methodsFor } from '#lib/server/kdf/coins/methodsFor.ts';
import { explainActivation, stepProgress, stepWords } from '../../failureWords.ts';
import type { Probe } from '#lib/server/kdf/egress/probe.ts';
import { readForm, text } from '#lib/server/platform/http/readForm.ts';
import { refuseRuledToken } from '../../../refuseRuledToken.ts';
import { requireMember } from '../../../requireMember.ts';
import { judgedFor } from '../../judged.ts';
import { mayTrade, redactedFor } from '../../node.ts';
import { probesFor } from '../../probes.ts';
import type { Actions, PageServerLoad } from './$types';
import { isAppError } from '#lib/server/platform/errors/appError.ts';

async function existing({ activations }: Komodeck, id: string): Promise<ActivationRow> {
	return (await activations.get(id)) ?? error(404, { message: kdfTask.noSuch });
}

/**
 * Returns the activation for which this task connects the hardware wallet; null when it was connected by
 * itself.
 */
async function cameFrom({ activations }: Komodeck, url: URL) {
	const id = url.searchParams.get('from');
	const row = id === null ? null : await activations.get(id);
	return row && row.coin !== DEVICE ? { id: row.id, coin: row.coin } : null;
}

const read = <T>(text: string | null): T | null => (text === null ? null : (JSON.parse(text) as T));

/** Whether the coin can sign messages: the coins file has its message prefix. */
const signs = (coin: Coin | undefined): boolean =>
	coin !== undefined && coin.signMessagePrefix !== null && coin.protocol !== 'ZHTLC';

export const load: PageServerLoad = async ({ locals, params, url, setHeaders }) => {
	setHeaders({ 'cache-control': 'private, no-store' });
	const row = await existing(locals.app, params.id);
	const failure = read<Failure>(row.failure);
	const result = read<Plain>(row.result);
	const step = read<Plain>(row.step);
	const may = mayTrade(locals.identity);
	const now = Date.now();
	const coin = await locals.app.activations.coins.find(row.coin);
	// The balance of the team's wallet is for members only, even with public browsing.
	const facts = result === null || locals.account === null ? null : factsOf(row.coin, result);
	const isOwn = ({ address }: { address: string }): boolean => !isStrange(address, coin);
	const lines = facts?.lines.filter(isOwn) ?? [];
	const about = {
		node: row.node,
		coin: row.coin,
		method: row.method,
		...(coin === undefined ? {} : { ways: methodsFor(coin) }),
		wrongPins: Number(row.wrong_pins)
	};
	return {
		id: row.id,
		node: row.node,
		coin: row.coin,
		isDevice: row.coin === DEVICE,
		method: row.method,
		title: methodTitle(
			row.method,
			(read<Plain>(row.params) as { urls?: Plain }).urls !== undefined
		),
		state: row.state,
		attempt: Number(row.attempt),
		attempts: RETRY_AFTER_S.length + 1,
		taskId: row.task_id === null ? null : Number(row.task_id),
		step: step === null ? null : stepWords(step, may.activate),
		progress: step === null ? null : stepProgress(step),
		unreadable: row.unreadable === true,
		probes: probesFor(may, read<Probe[]>(row.probes) ?? []),
		facts: facts === null ? null : { ...facts, lines, keys: facts.keys.filter(isOwn) },
		/** Says that the node gave addresses which are not shown; null when it gave none of those. */
		strange:
			facts !== null && coin !== undefined && lines.length < facts.lines.length
				? activeCoin.strangeAddress(coin.ticker)
				: null,
		failure: failure === null ? null : redactedFor(may, explainActivation(about, failure)),
		reason:
			row.reason === null
				? null
				: (may.activate ? activationReasons.text : unquotedReason)(
						readStored(activationReasons.parse, row.reason)
					),
		ending: row.cancel_by,
		nextAt: row.state === 'waiting' && row.due_at !== null ? Number(row.due_at) : null,
		pad: padOf(row, now),
		me: locals.account?.name ?? null,
		may,
		signs: signs(coin),
		joined: url.searchParams.get('joined') === '1',
		cameFrom: row.coin === DEVICE ? await cameFrom(locals.app, url) : null,
		begunBy: row.begun_by,
		repeats: row.repeats,
		createdAt: Number(row.created_at),
		stateSince: Number(row.state_since),
		events: (await locals.app.activations.events(row.id)).map(({ seq, time, message }) => ({
			seq,
			time,
			text: activationEvents.text(message)
		})),
		now
	};
};

/** Runs an action and reports its error; nothing that was typed is returned. */
async function acted(act: Promise<unknown>) {
	try {
		await act;
		return null;
	} catch (cause) {
		if (!isAppError(cause, 'activation', 'work')) throw cause;
		return fail(cause.status, { problem: cause.message, code: cause.code });
	}
}

const actor = (locals: App.Locals): string => requireMember(locals).account.name;

export const actions: Actions = {
	cancel: ({ locals, params }) => acted(locals.app.activations.cancel(params.id, actor(locals))),

	hurry: ({ locals, params }) => acted(locals.app.activations.hurry(params.id, actor(locals))),

	repeat: async ({ locals, params, url }) => {
		await refuseRuledToken(locals);
		const row = await existing(locals.app, params.id);
		const { node, coin, method, params: asked } = row;
		if (row.unreadable === true) {
			return fail(409, { problem: unreadableActivation, code: 'activation.unreadable' });
		}
		// The member who started it may have named servers that others may not name.
		const call = kdfDemands(node, firstCallOf(method), JSON.parse(asked) as KdfParams<KdfMethod>);
		const { policy, activations } = locals.app;
		const wanted = { node, method, coin, call };
		const begun = await beginActivation(policy, requireMember(locals), wanted, (next) =>
			activations.repeat(params.id, actor(locals), next)
		);
		if (begun.denial !== null) {
			const { denial } = begun;
			return fail(403, {
				problem: denialSentence(denial),
				code: 'why' in denial ? denial.why.code : null
			});
		}
		const { id, joined } = begun;
		const more = new URLSearchParams(joined ? { joined: '1' } : {});
		const from = url.searchParams.get('from');
		if (from !== null) more.set('from', from);
		redirect(303, `/kdf/tasks/${id}${more.size === 0 ? '' : `?${more}`}`);
	},

	take: ({ locals, params }) => acted(locals.app.activations.pads.take(params.id, actor(locals))),

	leave: ({ locals, params }) => acted(locals.app.activations.pads.letGo(params.id, actor(locals))),

	answer: async (event) => {
		const { request, locals, params } = event;
		const { kind, pin } = await readForm(request, { kind: text, pin: text });
		const judge = judgedFor(event, requireMember(locals));
		const { pads } = locals.app.activations;
		return acted(pads.answer(params.id, actor(locals), kind, pin, judge));
	}
};
