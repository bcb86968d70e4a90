/**
 * What is typed into the forms of a page, for the browser's back button: SvelteKit keeps it with the entry of the
 * history, in the session storage of the tab. Only forms that say `keeps` are read, and of those no field that takes a
 * secret, so that a form nobody thought of keeps nothing.
 */
import { tick } from 'svelte';

/**
 * One field as it stood: what it is called, which of several called so it is, its text or whether it is ticked, null where
 * the text was too long to be kept, and what it says beside it.
 */
type KeptField = readonly [
	called: string,
	at: number,
	value: string | boolean | null,
	label: string
];

/** Who types where. */
export interface Place {
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
/** Told to it afterwards, of what nobody has taken up. */
const DRAFT_LOST = 'draftlost';

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

/** What stands beside a control, for who reads: the first words of its label. */
function labelOf(control: Control): string {
	const own = control.getAttribute('aria-label');
	if (own !== null) return own;
	const label = control.labels?.[0];
	if (label === undefined) return '';
	const words = document.createTreeWalker(label, NodeFilter.SHOW_TEXT);
	while (words.nextNode() !== null) {
		const text = words.currentNode.textContent?.trim() ?? '';
		if (text !== '') return text;
	}
	return '';
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
		numbered(controlsOf(form)).map(({ control, called, at }): KeptField => {
			const value = valueOf(control);
			const isKept = typeof value === 'boolean' || value.length <= MOST_LETTERS;
			return [called, at, isKept ? value : null, labelOf(control)];
		})
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
				const value = field?.[2] ?? null;
				if (value === null || value === valueOf(control)) continue;
				if (control.type === 'radio' && value === false) continue;
				if (!canHold(control, value)) continue;
				fill(control, value);
			}
		}
	}
	for (const form of keptForms()) tellLost(form, draft.forms[keyOf(form)] ?? []);
}

function tellLost(form: HTMLFormElement, kept: readonly KeptField[]): void {
	const there = numbered(controlsOf(form));
	const lost = new Set<string>();
	for (const [called, at, value, label] of kept) {
		if (value === false || value === '') continue;
		const field = there.find((one) => one.called === called && one.at === at);
		if (value !== null) {
			if (field !== undefined && canHold(field.control, value)) continue;
			const detail: LostField = { called, at, value };
			const isTaken = !form.dispatchEvent(
				new CustomEvent(FIELD_LOST, { detail, cancelable: true })
			);
			if (isTaken) continue;
		}
		// A draft that an earlier release kept has no labels.
		if (label) lost.add(label);
	}
	if (lost.size > 0) form.dispatchEvent(new CustomEvent(DRAFT_LOST, { detail: [...lost] }));
}

/** What was typed or chosen in a field of a form that comes back, and has no place in it now. */
interface LostField {
	called: string;
	at: number;
	value: string | boolean;
}

/** Listens to an event of a form until the returned function is called. */
function listenTo<Detail>(
	form: HTMLFormElement,
	name: string,
	hear: (detail: Detail, event: Event) => void
): () => void {
	const listener = (event: Event): void => hear((event as CustomEvent<Detail>).detail, event);
	form.addEventListener(name, listener);
	return () => form.removeEventListener(name, listener);
}

/**
 * Hears of what was typed or chosen in a form that comes back and has no field in it now, or no such option: a list is a
 * shorter one, or says no more what was chosen in it. Until the returned function is called.
 * @param take gives it a place, or returns false
 */
export const takeLost = (
	form: HTMLFormElement,
	take: (field: LostField) => boolean
): (() => void) =>
	listenTo<LostField>(form, FIELD_LOST, (field, event) => {
		if (take(field)) event.preventDefault();
	});

/**
 * Hears of the fields, by their labels, of which a form that comes back lacks what was typed or chosen. Until the returned
 * function is called.
 */
export const hearLost = (
	form: HTMLFormElement,
	hear: (labels: readonly string[]) => void
): (() => void) => listenTo(form, DRAFT_LOST, hear);
