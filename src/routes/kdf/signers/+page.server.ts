import { fail } from '@sveltejs/kit';
import qrcode from 'qrcode-generator';
import { signersPage } from '#lib/messages/pages/kdfSigning.ts';
import { chainOf } from '#lib/server/kdf/remote-signers/remote.ts';
import { explainActivation, explainChange } from '../failureWords.ts';
import { qrPath } from '#lib/ui/values/qr.ts';
import { readForm, text } from '#lib/server/platform/http/readForm.ts';
import { requireMember } from '../../requireMember.ts';
import { judgedFor } from '../judged.ts';
import { kdfView, mayTrade, requireKdf } from '../node.ts';
import type { Actions, PageServerLoad } from './$types';
import { isAppError, type AppError } from '#lib/server/platform/errors/appError.ts';

const about = (node: string) =>
	({ node, coin: signersPage.signer, method: 'enable_eth_with_tokens' }) as const;

/** Explains why the sessions are unknown. */
function unread(node: string, cause: AppError<'activation.call-failed'>): string {
	const { what, next } = explainActivation(about(node), cause.params.failure);
	return `${what} ${next}`;
}

/** Explains why an action failed, or may have failed. */
const notDone = (node: string, cause: AppError<'activation.call-failed'>): string =>
	explainChange(about(node), cause.params.failure).words;

/** Returns the platforms for which a remote signer can sign, with their chain. */
async function platforms({ activations }: App.Locals['app']) {
	const { coins } = await activations.coins.catalog();
	return coins.flatMap((coin) => {
		const chain = chainOf(coin);
		return chain === null ? [] : [{ ticker: coin.ticker, name: coin.name, chain }];
	});
}

export const load: PageServerLoad = async ({ locals, url, setHeaders }) => {
	setHeaders({ 'cache-control': 'private, no-store' });
	const { activations } = locals.app;
	const { nodes, node } = await requireKdf(activations, url);
	let problem: string | null = null;
	const sessions = await activations.remote.sessions(node.id).catch((cause: unknown) => {
		if (!isAppError(cause, 'activation.call-failed')) throw cause;
		problem = unread(node.id, cause);
		return null;
	});
	return {
		node: kdfView(node),
		several: nodes.length > 1,
		may: mayTrade(locals.identity),
		platforms: await platforms(locals.app),
		sessions,
		problem,
		now: Date.now()
	};
};

interface Outcome {
	error: string | null;
	problem: string | null;
	ended: boolean;
	invitation: { url: string; qr: { path: string; size: number } | null } | null;
}
const outcome = (more: Partial<Outcome>): Outcome => ({
	error: null,
	problem: null,
	ended: false,
	invitation: null,
	...more
});

export const actions: Actions = {
	connect: async (event) => {
		const { request, locals, url } = event;
		const member = requireMember(locals);
		const { activations } = locals.app;
		const { node } = await requireKdf(activations, url);
		const known = new Set((await platforms(locals.app)).map(({ chain }) => chain));
		const chains = [...new Set((await request.formData()).getAll('chain').map(String))];
		if (chains.length === 0 || chains.some((chain) => !known.has(chain))) {
			return fail(400, outcome({ error: signersPage.noChain }));
		}
		try {
			const judge = judgedFor(event, member);
			const by = member.account.name;
			const invitation = await activations.remote.connect(node.id, chains, by, judge);
			return outcome({
				invitation: { url: invitation.url, qr: qrPath(qrcode, invitation.url) }
			});
		} catch (cause) {
			if (!isAppError(cause, 'activation.call-failed')) throw cause;
			return fail(409, outcome({ problem: notDone(node.id, cause) }));
		}
	},

	end: async (event) => {
		const { request, locals, url } = event;
		const member = requireMember(locals);
		const { activations } = locals.app;
		const { node } = await requireKdf(activations, url);
		const { topic } = await readForm(request, { topic: text });
		try {
			if ((await activations.remote.session(node.id, topic)) === null) {
				return fail(404, outcome({ problem: signersPage.endedAlready }));
			}
			const judge = judgedFor(event, member);
			await activations.remote.end(node.id, topic, member.account.name, judge);
			return outcome({ ended: true });
		} catch (cause) {
			if (!isAppError(cause, 'activation.call-failed')) throw cause;
			return fail(409, outcome({ problem: notDone(node.id, cause) }));
		}
	}
};
