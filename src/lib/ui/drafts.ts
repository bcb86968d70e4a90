/**
 * What is typed into the forms of a page, for the browser's back button: SvelteKit keeps it with the entry of the
 * history, in the session storage of the tab. Only forms that say `keeps` are read, and of those no field that takes a
 * secret, so that a form nobody thought of keeps nothing.
 */
import { tick } from 'svelte';

/** One field as it stood: what it is called, which of several called so it is, and its text or whether it is ticked. */
type KeptField = readonly [called: string, at: number, value: string | boolean];

/** Who types where. */
interface Place {
	/** Name of the account; null for a visitor. */
	by: string | null;
	/** The page's path. */
	path: string;
}

/** The forms of a page, by what they post to. */
export interface Draft extends Place {
	forms: Readonly<Record<string, readonly KeptField[]>>;
}

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** Marks a form whose fields are kept. */
export const KEEPS = 'data-keeps';
/** Marks a field of such a form that is not: it takes signed bytes, say. */
const SECRET = 'data-secret';
/** Told to a form that comes back, of each field that was filled in and is not there any more, or lacks its option. */
const FIELD_LOST = 'fieldlost';

/** Characters of a field that is kept: what is longer is a file that somebody has. */
const MOST_LETTERS = 20_000;
/** Times that fields are looked for which appear once others are filled in. */
const ROUNDS = 4;

/** What a control is, as far as it decides whether its text may be kept. */
interface ControlFacts {
	name: string;
	/** As of the element: `select-one` and `textarea`, too. */
	type: string;
	autocomplete: string;
	/** Its own mark that it is a secret. */
	isSecret: boolean;
}

const TYPES = new Set(['text', 'search', 'number', 'textarea', 'select-one', 'checkbox', 'radio']);
const SECRET_TOKENS = /password|one-time-code|cc-/;

/** What a form showed when it was made, which comes back with what was typed into that form. */
const isShown = ({ name, type }: ControlFacts): boolean =>
	type === 'hidden' && name.startsWith('shown.');

/** Whether what is typed into a field may be kept. */
export const mayKeep = (facts: ControlFacts): boolean => {
	const { name, type, autocomplete, isSecret } = facts;
	if (name === '' || isSecret || SECRET_TOKENS.test(autocomplete)) return false;
	return TYPES.has(type) || isShown(facts);
};

function controlsOf(form: HTMLFormElement): Control[] {
	// Where a password is typed, what stands beside it is not kept either.
	if (form.querySelector('input[type="password"]') !== null) return [];
	return [...form.elements].filter(
		(element): element is Control =>
			(element instanceof HTMLInputElement ||
				element instanceof HTMLTextAreaElement ||
				element instanceof HTMLSelectElement) &&
			mayKeep({
				name: element.name,
				type: element.type,
				autocomplete: element.autocomplete,
				isSecret: element.hasAttribute(SECRET)
			})
	);
}

const isBox = (control: Control): control is HTMLInputElement =>
	control.type === 'checkbox' || control.type === 'radio';

const valueOf = (control: Control): string | boolean =>
	isBox(control) ? control.checked : control.value;

/** Whether a control can still hold it: an option may be gone since, or closed. */
const canHold = (control: Control, value: string | boolean): boolean =>
	!(control instanceof HTMLSelectElement) ||
	[...control.options].some((option) => option.value === value && !option.disabled);

/** A box is told from others of its name by what it stands for: the list may be another one when its page comes back. */
export const boxCalled = (name: string, value: string): string => `${name}=${value}`;

const calledOf = (control: Control): string =>
	isBox(control) ? boxCalled(control.name, control.value) : control.name;

/** Controls with what they are called, and which of several called so they are. */
function numbered(
	controls: readonly Control[]
): { control: Control; called: string; at: number }[] {
	const seen = new Map<string, number>();
	return controls.map((control) => {
		const called = calledOf(control);
		const at = seen.get(called) ?? 0;
		seen.set(called, at + 1);
		return { control, called, at };
	});
}

const keptForms = (): HTMLFormElement[] => [
	...document.querySelectorAll<HTMLFormElement>(`form[${KEEPS}]`)
];

const keyOf = (form: HTMLFormElement): string => form.getAttribute('action') ?? '';

/** What is typed on the page now. */
export function captureDraft(place: Place): Draft {
	const forms = keptForms().map((form): [string, KeptField[]] => [
		keyOf(form),
		numbered(controlsOf(form))
			.map(({ control, called, at }): KeptField => [called, at, valueOf(control)])
			.filter(([, , value]) => typeof value === 'boolean' || value.length <= MOST_LETTERS)
	]);
	return { ...place, forms: Object.fromEntries(forms) };
}

/** Types it again. The events tell the component that the field belongs to. */
function fill(control: Control, value: string | boolean): void {
	if (isBox(control)) control.checked = value === true;
	else control.value = String(value);
	control.dispatchEvent(new Event('input', { bubbles: true }));
	control.dispatchEvent(new Event('change', { bubbles: true }));
}

/** Brings back what was typed, where the same account is on the same page. */
export async function restoreDraft(draft: Draft, place: Place): Promise<void> {
	if (draft.by !== place.by || draft.path !== place.path) return;
	for (let round = 0; round < ROUNDS; round++) {
		await tick();
		for (const form of keptForms()) {
			const kept = draft.forms[keyOf(form)] ?? [];
			for (const { control, called, at } of numbered(controlsOf(form))) {
				const field = kept.find(([name, place]) => name === called && place === at);
				// A radio button is only ever switched on: that switches the others off.
				if (field === undefined || field[2] === valueOf(control)) continue;
				if (control.type === 'radio' && field[2] === false) continue;
				if (!canHold(control, field[2])) continue;
				fill(control, field[2]);
			}
		}
	}
	for (const form of keptForms()) tellLost(form, draft.forms[keyOf(form)] ?? []);
}

function tellLost(form: HTMLFormElement, kept: readonly KeptField[]): void {
	const there = numbered(controlsOf(form));
	for (const detail of kept) {
		const [called, at, value] = detail;
		if (value === false || value === '') continue;
		const field = there.find((one) => one.called === called && one.at === at);
		if (field !== undefined && canHold(field.control, value)) continue;
		form.dispatchEvent(new CustomEvent(FIELD_LOST, { detail }));
	}
}

/**
 * Hears of what was typed or chosen in a form that comes back and has no field in it now, or no such option: a list is a
 * shorter one, or says no more what was chosen in it. Until the returned function is called.
 */
export function hearLost(form: HTMLFormElement, hear: (...field: KeptField) => void): () => void {
	const listener = (event: Event): void => hear(...(event as CustomEvent<KeptField>).detail);
	form.addEventListener(FIELD_LOST, listener);
	return () => form.removeEventListener(FIELD_LOST, listener);
}
