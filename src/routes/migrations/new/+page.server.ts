import { fail, redirect } from '@sveltejs/kit';
import { z } from 'zod';
import { PageClient } from '#lib/server/chains/explorer/pageClient.ts';
import {
	readMigrationForm,
	type MigrationForm
} from '#lib/server/cross-chain/migration/formChains.ts';
import { suggestedAddresses } from '#lib/server/wallet/address-book/suggestions.ts';
import { readForm, text } from '#lib/server/platform/http/readForm.ts';
import { outcomeOf } from '../../outcomeOf.ts';
import { requireMember } from '../../requireMember.ts';
import { noWalletReason, usableWallets } from '../../wallets/openWallet.ts';
import type { Actions, PageServerLoad } from './$types';
import { chainParam, policyOf, stopped, type Stopped } from './outcome.ts';

/** Digits and decimal point of the largest amount. */
const MOST_DIGITS = 20;

/**
 * Returns the address of the team's own wallet on the destination, when a link asks for it. An address
 * itself is never taken from a link, because an attacker could insert their own.
 */
function ownAddress({ chains }: MigrationForm, url: URL): string {
	if (url.searchParams.get('to') !== 'own') return '';
	const destination = url.searchParams.get('destination') ?? '';
	const wallet = chains.find(({ name }) => name === destination)?.wallet;
	return wallet !== undefined && 'address' in wallet ? (wallet.address ?? '') : '';
}

export const load: PageServerLoad = async ({ locals, url }) => {
	const { gateway, index, limits, rights, sender } = locals.app;
	const chains = gateway.chains();
	const { account } = requireMember(locals);
	const client = new PageClient(await rights.gatewayOf(account.name), locals.requestId);
	const [usable, known] = await Promise.all([
		usableWallets(locals),
		readMigrationForm({ client, index, rights, sender, limits }, account)
	]);
	return {
		known,
		/** Why there is no wallet that this member may burn from. */
		lacking: noWalletReason(locals.app, usable),
		suggestions: await suggestedAddresses(locals.app.addressBook),
		typed: {
			source: chainParam(url, 'source', chains),
			destination: chainParam(url, 'destination', chains),
			address: ownAddress(known, url),
			amount: url.searchParams.get('amount')?.slice(0, MOST_DIGITS) ?? '',
			proof: 'notarizations',
			policy: 'automatic'
		}
	};
};

/** Result of the form: the typed values, field errors, and all checks that were made. */
interface Outcome extends Stopped {
	typed: Record<'source' | 'destination' | 'address' | 'amount' | 'proof' | 'policy', string>;
}

const outcome = outcomeOf<Outcome>();

export const actions: Actions = {
	default: async ({ request, locals }) => {
		const actor = requireMember(locals).account.name;
		const typed = await readForm(request, {
			source: text,
			destination: text,
			address: text,
			amount: text,
			proof: z.enum(['approvals', 'notarizations']).catch('notarizations'),
			policy: text.transform(policyOf)
		});
		const drafted = await locals.app.migrations.draft(
			{ ...typed, approvals: typed.proof === 'approvals' },
			actor
		);
		if (drafted.kind === 'drafted') redirect(303, `/migrations/${drafted.id}`);
		return fail(400, outcome({ typed, ...stopped(drafted) }));
	}
};
