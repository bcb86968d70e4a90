import { fail, redirect } from '@sveltejs/kit';
import { isValidAddress } from '#lib/chain/address.ts';
import { isHex } from '#lib/chain/bytes.ts';
import { isHash } from '#lib/chain/idText.ts';
import { isValidPubkey } from '#lib/chain/key.ts';
import { recoveryFaultMessage } from '#lib/messages/migration/recoveryFaults.ts';
import { recoverMigration } from '#lib/messages/pages/migrationList.ts';
import { readRecoveryFile } from '#lib/server/cross-chain/migration/readRecoveryFile.ts';
import { readForm, trimmed } from '#lib/server/platform/http/readForm.ts';
import { outcomeOf } from '../../outcomeOf.ts';
import { requireMember } from '../../requireMember.ts';
import type { Actions, PageServerLoad } from './$types';

const { faults } = recoverMigration;

export const load: PageServerLoad = ({ locals, url }) => ({
	chains: locals.app.gateway.chains(),
	typed: {
		txid: (url.searchParams.get('txid') ?? '').slice(0, 64),
		chain: url.searchParams.get('chain') ?? '',
		address: '',
		payouts: '',
		recoveryFile: ''
	}
});

type FieldName = 'txid' | 'chain' | 'address' | 'payouts' | 'recoveryFile';

interface Outcome {
	typed: Record<FieldName, string>;
	errors: Partial<Record<FieldName, string>>;
	notice: string | null;
}

const outcome = outcomeOf<Outcome>();

export const actions: Actions = {
	default: async ({ request, locals }) => {
		const actor = requireMember(locals).account.name;
		const typed = await readForm(request, {
			txid: trimmed,
			chain: trimmed,
			address: trimmed,
			payouts: trimmed,
			recoveryFile: trimmed
		});
		const refused = (errors: Outcome['errors'], notice: string | null = null) =>
			fail(400, outcome({ typed, errors, notice }));
		const chains = locals.app.gateway.chains();
		if (typed.recoveryFile !== '') {
			const read = readRecoveryFile(typed.recoveryFile, chains);
			if (!read.ok) return refused({ recoveryFile: recoveryFaultMessage(read.fault) });
			const { txid, chain, address, payouts } = read.hint;
			const opened = await locals.app.migrations.openByBurn(txid, chain, actor, {
				recipient: address,
				payouts
			});
			if (opened.kind === 'opened') redirect(303, `/migrations/${opened.id}`);
			return refused({ recoveryFile: recoveryFaultMessage(opened.fault) });
		}
		if (!isHash(typed.txid.toLowerCase())) {
			return refused({ txid: faults.txid });
		}
		if (!chains.includes(typed.chain)) {
			return refused({ chain: faults.chain });
		}
		const recipient = isHex(typed.address) ? typed.address.toLowerCase() : typed.address;
		if (recipient !== '' && !isValidAddress(recipient) && !isValidPubkey(recipient)) {
			return refused({ address: faults.address });
		}
		const payouts = typed.payouts.replaceAll(/\s/g, '').toLowerCase();
		if (payouts !== '' && (!isHex(payouts) || payouts.length > 400_000)) {
			return refused({ payouts: faults.payouts });
		}
		const opened = await locals.app.migrations.openByBurn(
			typed.txid.toLowerCase(),
			typed.chain,
			actor,
			{ recipient, payouts }
		);
		if (opened.kind === 'opened') redirect(303, `/migrations/${opened.id}`);
		return refused({}, recoveryFaultMessage(opened.fault));
	}
};
