/**
 * Keeps what is typed into forms of a page for the browser's back button: SvelteKit stores it with the
 * history entry, in the session storage of the tab. Only forms with `keeps` are read, and no fields that
 * may take a secret, so that nothing is stored by accident.
 */
import { tick } from 'svelte';

/**
 * One field: its name, its index among fields with that name, its text or whether it is checked (null when
 * the text was too long to be stored), and its label.
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
	/** Path of the page. */
	path: string;
}

/** The forms of a page, by their action. */
export interface Draft extends Place {
	forms: Readonly<Record<string, readonly KeptField[]>>;
}

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** Attribute of a form whose fields are kept. */
export const KEEPS = 'data-keeps';
/** Attribute that excludes a field of such a form, for example one for signed transactions. */
const SECRET = 'data-secret';
/** Event on a restored form, for each filled field that no longer exists or lacks its option. */
const FIELD_LOST = 'fieldlost';
/** Event on a restored form afterwards, with the labels of the fields for which no listener found a place. */
const DRAFT_LOST = 'draftlost';

/** Maximum characters of a stored field: longer text was probably pasted from a file. */
const MOST_LETTERS = 20_000;
/** Restoration passes, because filling some fields makes further ones appear. */
const ROUNDS = 4;

/** Properties of a control that decide whether its text may be stored. */
interface ControlFacts {
	name: string;
	/** The element's type, including `select-one` and `textarea`. */
	type: string;
	autocomplete: string;
	/** Whether it is marked as secret. */
	isSecret: boolean;
}

const TYPES = new Set(['text', 'search', 'number', 'textarea', 'select-one', 'checkbox', 'radio']);
const SECRET_TOKENS = /password|one-time-code|cc-/;

/**
 * Whether a hidden field records the state that the form displayed, which is restored together with the
 * typed values.
 */
const isShown = ({ name, type }: ControlFacts): boolean =>
	type === 'hidden' && name.startsWith('shown.');

/** Whether the value of a field may be stored. */
export const mayKeep = (facts: ControlFacts): boolean => {
	const { name, type, autocomplete, isSecret } = facts;
	if (name === '' || isSecret || SECRET_TOKENS.test(autocomplete)) return false;
	return TYPES.has(type) || isShown(facts);
};

function controlsOf(form: HTMLFormElement): Control[] {
	// In a form with a password nothing is stored.
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

/** Returns the first text of a control's label. */
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

/** Whether a control can hold the value: an option may be missing or disabled by now. */
const canHold = (control: Control, value: string | boolean): boolean =>
	!(control instanceof HTMLSelectElement) ||
	[...control.options].some((option) => option.value === value && !option.disabled);

/** Identifies a checkbox by name and value: the list may have changed when the page is restored. */
export const boxCalled = (name: string, value: string): string => `${name}=${value}`;

const calledOf = (control: Control): string =>
	isBox(control) ? boxCalled(control.name, control.value) : control.name;

/** Returns the controls with their names, and their index among controls with the same name. */
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

const draftForms = (): HTMLFormElement[] => [
	...document.querySelectorAll<HTMLFormElement>(`form[${KEEPS}]`)
];

const keyOf = (form: HTMLFormElement): string => form.getAttribute('action') ?? '';

/** Reads what is currently typed on the page. */
export function captureDraft(place: Place): Draft {
	const forms = draftForms().map((form): [string, KeptField[]] => [
		keyOf(form),
		numbered(controlsOf(form)).map(({ control, called, at }): KeptField => {
			const value = valueOf(control);
			const isKept = typeof value === 'boolean' || value.length <= MOST_LETTERS;
			return [called, at, isKept ? value : null, labelOf(control)];
		})
	]);
	return { ...place, forms: Object.fromEntries(forms) };
}

/** Sets a value. The events notify the component that the field belongs to. */
function fill(control: Control, value: string | boolean): void {
	if (isBox(control)) control.checked = value === true;
	else control.value = String(value);
	control.dispatchEvent(new Event('input', { bubbles: true }));
	control.dispatchEvent(new Event('change', { bubbles: true }));
}

/** Whether a control was changed, or for a radio button the choice that it belongs to. */
const isChanged = (
	control: Control,
	controls: readonly Control[],
	changed: ReadonlySet<EventTarget>
): boolean =>
	changed.has(control) ||
	(control.type === 'radio' &&
		controls.some(
			(other) => other.type === 'radio' && other.name === control.name && changed.has(other)
		));

/**
 * Restores the typed values when account and page are the same.
 * @param changed controls whose new value stays; those that this function fills are removed from it again
 */
export async function restoreDraft(
	draft: Draft,
	place: Place,
	changed: Set<EventTarget>
): Promise<void> {
	if (draft.by !== place.by || draft.path !== place.path) return;
	for (let round = 0; round < ROUNDS; round++) {
		await tick();
		for (const form of draftForms()) {
			const kept = draft.forms[keyOf(form)] ?? [];
			const controls = controlsOf(form);
			for (const { control, called, at } of numbered(controls)) {
				if (isChanged(control, controls, changed)) continue;
				const field = kept.find(([name, place]) => name === called && place === at);
				// Radio buttons are only ever checked, which unchecks the others of the group.
				const value = field?.[2] ?? null;
				if (value === null || value === valueOf(control)) continue;
				if (control.type === 'radio' && value === false) continue;
				if (!canHold(control, value)) continue;
				fill(control, value);
				changed.delete(control);
			}
		}
	}
	for (const form of draftForms()) tellLost(form, draft.forms[keyOf(form)] ?? []);
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
		// Drafts stored by an early release have no labels.
		if (label) lost.add(label);
	}
	if (lost.size > 0) form.dispatchEvent(new CustomEvent(DRAFT_LOST, { detail: [...lost] }));
}

/** A stored value without a matching field in the restored form. */
interface LostField {
	called: string;
	at: number;
	value: string | boolean;
}

/** Adds a listener to a form; returns the function that removes it. */
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
 * Listens for stored values that have no field or option in the restored form, for example because a list
 * became shorter. Returns the function that stops listening.
 * @param take finds another place for the value, or returns false
 */
export const takeLost = (
	form: HTMLFormElement,
	take: (field: LostField) => boolean
): (() => void) =>
	listenTo<LostField>(form, FIELD_LOST, (field, event) => {
		if (take(field)) event.preventDefault();
	});

/**
 * Listens for the labels of fields whose stored values could not be restored. Returns the function that
 * stops listening.
 */
export const hearLost = (
	form: HTMLFormElement,
	hear: (labels: readonly string[]) => void
): (() => void) => listenTo(form, DRAFT_LOST, hear);
