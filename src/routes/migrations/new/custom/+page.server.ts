import { fail, redirect } from '@sveltejs/kit';
import { z } from 'zod';
import { byAmountDescending, sumOf } from '#lib/chain/amount.ts';
import { customMigration } from '#lib/messages/pages/migrationForm.ts';
import { withoutTimeLocks } from '#lib/server/chains/daemon/unspent.ts';
import { PageClient } from '#lib/server/chains/explorer/pageClient.ts';
import { problemOf } from '#lib/server/chains/explorer/problem.ts';
import { readFormRoutes } from '#lib/server/cross-chain/migration/formChains.ts';
import { ROOMY_BURN_BYTES } from '#lib/server/wallet/transactions/guards.ts';
import { withLabels } from '#lib/server/wallet/address-book/withLabels.ts';
import { lines, readFields, text } from '#lib/server/platform/http/readForm.ts';
import { outcomeOf } from '../../../outcomeOf.ts';
import { requireMember } from '../../../requireMember.ts';
import { chainParam, policyOf, stopped, type Stopped } from '../outcome.ts';
import type { Actions, PageServerLoad } from './$types';
import { isAppError } from '#lib/server/platform/errors/appError.ts';

/** Maximum number of outputs in the form; the largest are shown. */
const MOST_SHOWN = 200;

interface Unspent {
	txid: string;
	vout: number;
	amount: bigint;
	confirmations: number;
	address: string | null;
}

interface Wallet {
	outputs: Unspent[];
	/** Number and total (satoshi) of all outputs of the wallet. */
	count: number;
	total: bigint;
	/** Why there is nothing to choose from; null when there is. */
	problem: string | null;
}

const without = (problem: string | null): Wallet => ({ outputs: [], count: 0, total: 0n, problem });

async function walletOf(locals: App.Locals, source: string): Promise<Wallet> {
	const { rights } = locals.app;
	const person = locals.account?.name ?? '';
	const client = new PageClient(await rights.gatewayOf(person), locals.requestId);
	const daemon = client.gateway.daemonFor(source, 'wallet');
	if (!daemon) return without(customMigration.noWallet(source));
	const foreign = await rights.walletRefusal(person, daemon.id);
	if (foreign !== null) return without(foreign.message);
	try {
		const all = withoutTimeLocks(await client.callWallet(source, 'listunspent', [1]))
			.filter(({ spendable }) => spendable)
			.sort(byAmountDescending);
		return {
			outputs: all.slice(0, MOST_SHOWN).map(({ txid, vout, amount, confirmations, address }) => ({
				txid,
				vout,
				amount,
				confirmations,
				address: address ?? null
			})),
			count: all.length,
			total: sumOf(all.map(({ amount }) => amount)),
			problem: null
		};
	} catch (cause) {
		if (!isAppError(cause, 'daemon')) throw cause;
		return without(problemOf(source, cause, daemon.health, false).words);
	}
}

export const load: PageServerLoad = async ({ locals, url }) => {
	const { gateway, index } = locals.app;
	const chains = gateway.chains();
	const source = chainParam(url, 'source', chains);
	return withLabels(locals, {
		chains,
		known: await readFormRoutes(gateway, index),
		source,
		mostBurnBytes: ROOMY_BURN_BYTES,
		wallet: source === '' ? without(null) : await walletOf(locals, source),
		typed: {
			source,
			destination: chainParam(url, 'destination', chains),
			outputs: [] as string[],
			recipients: '',
			raw: '',
			proof: 'notarizations',
			policy: 'automatic'
		}
	});
};

interface Outcome extends Stopped {
	typed: {
		source: string;
		destination: string;
		outputs: string[];
		recipients: string;
		raw: string;
		proof: string;
		policy: string;
	};
}

const outcome = outcomeOf<Outcome>();

export const actions: Actions = {
	default: async ({ request, locals }) => {
		const actor = requireMember(locals).account.name;
		const form = await request.formData();
		const fields = readFields(form, {
			source: text,
			destination: text,
			recipients: lines,
			raw: text,
			proof: z.enum(['approvals', 'notarizations']).catch('notarizations'),
			policy: text.transform(policyOf)
		});
		const typed = { ...fields, outputs: form.getAll('outputs').map(String) };
		const drafted = await locals.app.migrations.draftCustom(
			{ ...typed, approvals: typed.proof === 'approvals' },
			actor
		);
		if (drafted.kind === 'drafted') redirect(303, `/migrations/${drafted.id}`);
		return fail(400, outcome({ typed, ...stopped(drafted) }));
	}
};
