/**
 * Tracks what a reload must not discard: text that was typed and not submitted, and the result of a form,
 * which may be shown only once.
 */
import { liveStatus } from './liveStatus.svelte.ts';

const forms = new Set<HTMLFormElement>();
let answered = false;

/** Fields that were changed since the page is shown, also before hydration. Clear it before another is. */
export const changedFields = new Set<EventTarget>();

export const isTyped = (): boolean => [...forms].some(({ isConnected }) => isConnected);

/**
 * Call after a form was submitted, or after its page was left.
 * @param form the submitted form: text typed into others remains; all when omitted
 */
export function forgetTyped(form?: HTMLFormElement): void {
	if (form) forms.delete(form);
	else {
		forms.clear();
		answered = false;
	}
	liveStatus.held = null;
}

/** Call when the page shows the result of a form, which stays until the page is left. */
export const noteAnswered = (): void => {
	answered = true;
};
export const isAnswered = (): boolean => answered;

function note(field: EventTarget & { form?: HTMLFormElement | null }): void {
	if (field.form?.method !== 'post') return;
	forms.add(field.form);
	changedFields.add(field);
}

const isChanged = (field: HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement): boolean => {
	if ('options' in field) {
		const usual = [...field.options].findLastIndex(({ defaultSelected }) => defaultSelected);
		return field.selectedIndex !== Math.max(usual, 0);
	}
	const isTicked = 'checked' in field && field.checked !== field.defaultChecked;
	return isTicked || field.value !== field.defaultValue;
};

/**
 * Finds what was typed before hydration. Call before components hydrate: afterwards fields no longer have
 * their default values.
 */
export function lookForTyped(): void {
	const fields = document.querySelectorAll<
		HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement
	>('form[method="post"] :is(input:not([type="hidden"]), textarea, select)');
	for (const field of fields) {
		if (isChanged(field)) note(field);
	}
}

/** Tracks input to POST forms until the returned function is called. */
export function hearTyping(): () => void {
	const hear = ({ target }: Event): void => {
		if (target !== null) note(target);
	};
	document.addEventListener('input', hear, true);
	return () => document.removeEventListener('input', hear, true);
}
