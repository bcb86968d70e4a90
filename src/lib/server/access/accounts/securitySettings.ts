/** The security settings and their changes. */
import { touch } from '../../platform/audit-trail/recorded.ts';
import type { Database } from '../../platform/database/database.ts';
import { createRowCache } from '../../platform/database/rowCache.ts';
import { revokeOpenLinks } from '../policy/rules/openLinks.ts';
import type { LinkMaker } from '../identity/linkMaker.ts';
import type { Audit } from '../audit/audit.ts';
import type { ChangeOutcome, ChangeKind } from '../changes/change.ts';
import { createGate } from '../changes/gate.ts';
import type { AccessTables } from '../tables.ts';
import { checkSettings } from './checkSettings.ts';
import {
	SETTING_NAMES,
	type SettingName,
	type SettingValues
} from '../security-settings/settings.ts';
import { readSettings, type StoredSettings } from '../security-settings/storedSettings.ts';
import { actorOf } from '../../platform/audit-trail/entry.ts';

export interface SecuritySettings extends StoredSettings {
	/**
	 * Changes settings, or proposes it. Settings that already have the value are skipped and not logged.
	 * Gives the number of changes.
	 * @throws {AppError} when the settings do not fit together
	 */
	change(by: LinkMaker, wanted: Partial<SettingValues>): Promise<ChangeOutcome<number>>;
	/** The changes of settings that can wait for approval. */
	readonly changes: readonly ChangeKind[];
}

export function createSecuritySettings(db: Database<AccessTables>, audit: Audit): SecuritySettings {
	const kept = createRowCache<SettingValues>(db.changeStamp);

	const changedOf = (before: SettingValues, wanted: Partial<SettingValues>): SettingName[] =>
		SETTING_NAMES.filter((name) => wanted[name] !== undefined && wanted[name] !== before[name]);

	const gate = createGate(db, audit);
	/** Which of two values is safer cannot be said of all settings, so each change waits for approval. */
	const settingsChange: ChangeKind<'settings.change', { wanted: Partial<SettingValues> }, number> =
		{
			code: 'settings.change',
			async look(trx, { wanted }) {
				const before = await readSettings(trx);
				const changed = changedOf(before, wanted);
				await checkSettings(trx, before, wanted);
				const settings = changed.map((name) => ({
					name,
					before: String(before[name]),
					after: String(wanted[name])
				}));
				return { waits: changed.length > 0, state: JSON.stringify(settings), facts: { settings } };
			},
			async apply(trx, by, { wanted }) {
				await audit.lock(trx);
				const before = await readSettings(trx);
				const changed = changedOf(before, wanted);
				await checkSettings(trx, before, wanted);
				const actor = actorOf(by);
				for (const name of changed) {
					const row = {
						value: String(wanted[name]),
						changed_by: actor,
						changed_at: BigInt(Date.now())
					};
					await trx
						.insertInto('security_settings')
						.values({ name, ...row })
						.onConflict((conflict) => conflict.column('name').doUpdateSet(row))
						.execute();
					touch(trx, 'security_settings', [name]);
					await audit.append(
						{
							actor,
							action: 'security.changed',
							target: name,
							detail: { from: before[name], to: wanted[name] }
						},
						trx
					);
				}
				const needed = wanted['change-approvals'] ?? 0;
				if (before['change-approvals'] === 0 && needed > 0) {
					await revokeOpenLinks(trx, audit, actor, 'alone');
				}
				return changed.length;
			}
		};

	return {
		values: async (within) =>
			within === undefined
				? ((await kept.get('values', () => readSettings(db))) ?? readSettings(db))
				: readSettings(within),

		changes: [settingsChange],
		change: (by, wanted) => gate.applyOrPropose(by, settingsChange, { wanted })
	};
}
