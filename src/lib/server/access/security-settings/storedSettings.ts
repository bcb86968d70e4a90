/** The security settings as they are stored; a setting that was never changed has its default. */
import type { Executor } from '../../platform/database/database.ts';
import type { AccessTables } from '../tables.ts';
import {
	readSetting,
	SETTING_NAMES,
	SETTINGS,
	type SettingName,
	type SettingValues
} from './settings.ts';

export interface StoredSettings {
	/**
	 * Returns all settings as they apply from this request on, even if another server changed them.
	 * @param within the transaction that the caller runs, if any: other queries cannot run meanwhile
	 */
	values(within?: Executor<AccessTables>): Promise<SettingValues>;
}

/** Reads all settings from the database. */
export async function readSettings(
	within: Pick<Executor<AccessTables>, 'selectFrom'>
): Promise<SettingValues> {
	const rows = await within.selectFrom('security_settings').select(['name', 'value']).execute();
	const stored = new Map(rows.map(({ name, value }) => [name, value]));
	const valueOf = (name: SettingName): unknown => {
		const text = stored.get(name);
		if (text === undefined) return SETTINGS[name].standard;
		return readSetting(name, text) ?? SETTINGS[name].strictest;
	};
	return Object.fromEntries(
		SETTING_NAMES.map((name) => [name, valueOf(name)])
	) as unknown as SettingValues;
}
