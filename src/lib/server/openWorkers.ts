/** What sends, migrates, activates and notifies, with the rounds that repeat it. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { refuseFormerAdmin, type AccountsOnly } from './access/identity/formerAdmin.ts';
import { createNotifications } from './access/notifications/notifications.ts';
import { createMigrations } from './cross-chain/migration/createMigrations.ts';
import { createNotaryApprovals } from './cross-chain/notary-approvals/notaryApprovals.ts';
import { createApprovalQueues } from './cross-chain/notary-approvals/queue/approvalQueues.ts';
import { createApprovalStore } from './cross-chain/notary-approvals/store.ts';
import { createActivations } from './kdf/activations.ts';
import { locks } from './locks.ts';
import { noticeChanges } from './noticeChanges.ts';
import { noticeLevels } from './noticeLevels.ts';
import { createSendRounds } from './sendRounds.ts';
import type { Life } from './platform/jobs/life.ts';
import { createCipher } from './platform/secrets/encrypt.ts';
import { createAddressBook } from './wallet/address-book/addressBook.ts';
import { createBatchTransfers } from './wallet/batch-transfers/batchTransfers.ts';
import { createSender } from './wallet/transactions/sender.ts';
import type { Access } from './openAccess.ts';
import type { Accounts } from './openAccounts.ts';
import type { Stores } from './openStores.ts';
import type { Upstreams } from './openUpstreams.ts';

export async function openWorkers(
	life: Life,
	{ config, db, index, doubt, onError }: Stores,
	{ auth, audit, safetyControls }: Accounts,
	{ gateway, nodes }: Upstreams,
	{ rights, approvals, proposals, metrics, news }: Access
) {
	const sender = createSender({
		db,
		locks,
		gateway,
		audit,
		rights,
		approvals,
		finality: config.finality
	});
	const addressBook = createAddressBook(db, audit);
	const batchTransfers = createBatchTransfers({ db, gateway, audit, sender, addressBook, rights });
	const { finality } = config;
	const approvalStore = createApprovalStore({ db, gateway });
	const migrations = createMigrations({
		db,
		locks,
		gateway,
		audit,
		rights,
		approvals,
		recheckApprovals: (burn) => approvalStore.recheck(burn),
		finality,
		index,
		fungibleTokens: config.fungibleTokens,
		onError,
		onStep: metrics.stepped('migrations'),
		news
	});
	migrations.start();
	life.onEnd(() => migrations.stop());
	const notaryApprovals = createNotaryApprovals({
		db,
		locks,
		gateway,
		audit,
		approvalStore,
		migrations,
		sender
	});
	const approvalQueues = createApprovalQueues({
		db,
		audit,
		sender,
		rights,
		approvals: notaryApprovals
	});
	/**
	 * Expires requests that were not approved in time, and continues burns that were approved. Returns
	 * whether any request was open or any burn waited.
	 */
	const afterApprovals = async (): Promise<boolean> => {
		const anyOpen = await approvals.expire();
		if (anyOpen) await migrations.retryApproved();
		return (await migrations.confirmApproved()) || anyOpen;
	};
	const rounds = createSendRounds(
		{
			sender,
			safetyControls,
			approvals,
			proposals,
			batchTransfers,
			approvalQueues,
			afterApprovals,
			doubtMs: async () => Math.ceil(await doubt(db))
		},
		{ onError, onStep: metrics.stepped('sends'), news }
	);
	rounds.start();
	life.onEnd(() => rounds.stop());
	const devnet = existsSync(join(config.komodoHome, 'devnet.json'));
	const activations = await createActivations({
		db,
		audit,
		cipher: createCipher(auth.keys.derive('activations')),
		gateway,
		nodes,
		rights,
		refuseFormerAdmin: (trx, by) => refuseFormerAdmin(trx.withTables<AccountsOnly>(), by),
		config,
		devnet,
		onError,
		onStep: metrics.stepped('activations'),
		news
	});
	activations.start();
	life.onEnd(() => activations.stop());
	const notifications = await createNotifications({
		db,
		audit,
		cipher: createCipher(auth.keys.derive('notifications')),
		smtp: config.smtp,
		auditExport: config.auditExport,
		listed: config.privateServers,
		origin: config.origin ?? `http://localhost:${config.port}`,
		changes: noticeChanges(db),
		levels: noticeLevels({ gateway, index, audit }),
		sessionRule: auth.sessions.rule,
		factorSettings: auth.settings.values,
		doubt,
		onError,
		onStep: metrics.stepped('notices'),
		news
	});
	notifications.start();
	life.onEnd(() => notifications.stop());
	return {
		sender,
		addressBook,
		batchTransfers,
		migrations,
		notaryApprovals,
		approvalQueues,
		afterApprovals,
		devnet,
		activations,
		notifications
	};
}

export type Workers = Awaited<ReturnType<typeof openWorkers>>;
