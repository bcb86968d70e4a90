import { SECURITY } from '#lib/messages/pages/security.ts';
import {
	readSetting,
	SECTIONS,
	SETTINGS,
	type SectionName,
	type SettingName,
	type SettingValues
} from './settings.ts';

/** A setting as a form shows it. */
interface ShownSetting {
	name: SettingName;
	/** Name of the field that holds the value from when the form was rendered. */
	shownField: string;
	input: 'choice' | 'whole' | 'text';
	value: string;
	/** The values to choose from; empty for a number or text. */
	options: readonly string[];
	least: number;
	most: number;
}

const shownField = (name: SettingName): string => `shown.${name}`;

/** Returns the settings of a section with their current values. */
export function shownSection(section: SectionName, values: SettingValues): ShownSetting[] {
	return SECTIONS[section].map((name) => {
		const setting = SETTINGS[name];
		return {
			name,
			shownField: shownField(name),
			input: setting.input,
			value: String(values[name]),
			options: 'options' in setting ? setting.options : [],
			least: 'least' in setting ? Number(setting.least) : 0,
			most: 'most' in setting ? Number(setting.most) : 0
		};
	});
}

/** The message about the allowed values of a setting. */
function faultOf(name: SettingName): string {
	const setting = SETTINGS[name];
	return setting.input === 'whole'
		? SECURITY.faults.whole(setting.least, setting.most)
		: SECURITY.faults[setting.input];
}

/**
 * Parses the form of a section. A setting that still has the value that the form showed is not changed, since
 * another admin may have changed it meanwhile.
 */
export function readSection(
	section: SectionName,
	form: FormData
): {
	typed: Record<string, string>;
	wanted: Partial<SettingValues>;
	errors: { [Name in SettingName]?: string };
} {
	const typed: Record<string, string> = {};
	const wanted: Record<string, unknown> = {};
	const errors: { [Name in SettingName]?: string } = {};
	for (const name of SECTIONS[section]) {
		const given = form.get(name);
		typed[name] = typeof given === 'string' ? given : '';
		const shown = form.get(shownField(name));
		if (typeof shown === 'string') typed[shownField(name)] = shown;
		const value = readSetting(name, typed[name]);
		if (value === null) errors[name] = faultOf(name);
		else if (typed[name] !== shown) wanted[name] = value;
	}
	return { typed, wanted: wanted as Partial<SettingValues>, errors };
}
