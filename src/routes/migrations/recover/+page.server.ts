import { fail, redirect } from '@sveltejs/kit';
import { isValidAddress } from '#lib/chain/address.ts';
import { recoverMigration } from '#lib/messages/pages/migrationList.ts';
import { readRecoveryFile } from '#lib/server/cross-chain/migration/readRecoveryFile.ts';
import { readForm, trimmed } from '#lib/server/platform/http/readForm.ts';
import { requireMember } from '../../requireMember.ts';
import type { Actions, PageServerLoad } from './$types';

const { faults } = recoverMigration;

export const load: PageServerLoad = ({ locals, url }) => ({
	chains: locals.app.gateway.chains(),
	typed: {
		txid: (url.searchParams.get('txid') ?? '').slice(0, 64),
		chain: url.searchParams.get('chain') ?? '',
		address: '',
		capsule: ''
	}
});

interface Outcome {
	typed: { txid: string; chain: string; address: string; capsule: string };
	errors: { txid?: string; chain?: string; address?: string; capsule?: string };
	notice: string | null;
}

const outcome = (told: Outcome): Outcome => told;

export const actions: Actions = {
	default: async ({ request, locals }) => {
		const actor = requireMember(locals).account.name;
		const typed = await readForm(request, {
			txid: trimmed,
			chain: trimmed,
			address: trimmed,
			capsule: trimmed
		});
		const refused = (errors: Outcome['errors'], notice: string | null = null) =>
			fail(400, outcome({ typed, errors, notice }));
		const chains = locals.app.gateway.chains();
		if (typed.capsule !== '') {
			const read = readRecoveryFile(typed.capsule, chains);
			if (!read.ok) return refused({ capsule: read.sentence });
			const { txid, chain, address } = read.hint;
			const opened = await locals.app.migrations.openByBurn(txid, chain, actor, address);
			if (opened.kind === 'opened') redirect(303, `/migrations/${opened.id}`);
			return refused({ capsule: opened.sentence });
		}
		if (!/^[0-9a-fA-F]{64}$/.test(typed.txid)) {
			return refused({ txid: faults.txid });
		}
		if (!chains.includes(typed.chain)) {
			return refused({ chain: faults.chain });
		}
		if (typed.address !== '' && !isValidAddress(typed.address)) {
			return refused({ address: faults.address });
		}
		const opened = await locals.app.migrations.openByBurn(
			typed.txid.toLowerCase(),
			typed.chain,
			actor,
			typed.address
		);
		if (opened.kind === 'opened') redirect(303, `/migrations/${opened.id}`);
		return refused({}, opened.sentence);
	}
};
