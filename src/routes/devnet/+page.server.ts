import { error, fail } from '@sveltejs/kit';
import { z } from 'zod';
import { DEVNET } from '#lib/messages/devnet.ts';
import { openDevnetControl, type DevnetControl } from '#lib/server/devnetControl.ts';
import { readForm, text } from '#lib/server/platform/http/readForm.ts';
import { requireMember } from '../requireMember.ts';
import type { Actions, PageServerLoad } from './$types';

/** @throws SvelteKit's 404 when the daemons are real */
async function controlOf({ app }: App.Locals): Promise<DevnetControl> {
	const control = await openDevnetControl(app.config);
	return control ?? error(404, { message: DEVNET.none });
}

export const load: PageServerLoad = async ({ locals, setHeaders }) => {
	setHeaders({ 'cache-control': 'private, no-store' });
	const control = await controlOf(locals);
	return { state: await control.state().catch(() => null) };
};

const form = z.discriminatedUnion('kind', [
	z.object({ kind: z.enum(['mine', 'notarize']), chain: z.string() }),
	z.object({ kind: z.enum(['stop', 'slow', 'restore']), daemon: z.string() }),
	z.object({ kind: z.enum(['plug', 'unplug']) }),
	z.object({ kind: z.literal('reset'), sure: z.literal('yes') })
]);

/** Result of an action: what was done, or why not, and the error of the checkbox of the reset. */
interface Outcome {
	problem: string | null;
	done: string | null;
	errors: { sure?: string };
}

const outcome = (told: Partial<Outcome>): Outcome => ({
	problem: null,
	done: null,
	errors: {},
	...told
});

export const actions: Actions = {
	default: async ({ request, locals }) => {
		const { account } = requireMember(locals);
		const control = await controlOf(locals);
		const typed = await readForm(request, { kind: text, chain: text, daemon: text, sure: text });
		if (typed.kind === 'reset' && typed.sure !== 'yes')
			return fail(400, outcome({ errors: { sure: DEVNET.reset.unconfirmed } }));
		const act = form.safeParse(typed);
		if (!act.success) return fail(400, outcome({ problem: DEVNET.failed }));
		// Recorded before it is done, so that nothing happens unrecorded.
		await locals.app.audit.append({
			actor: account.name,
			action: `devnet.${act.data.kind}`,
			target: typed.chain || typed.daemon || null,
			outcome: 'asked'
		});
		try {
			await control.act(act.data);
		} catch {
			return fail(409, outcome({ problem: DEVNET.failed }));
		}
		const { kind } = act.data;
		return outcome({ done: DEVNET.done[kind](typed.chain || typed.daemon) });
	}
};
