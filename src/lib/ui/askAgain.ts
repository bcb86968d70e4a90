/**
 * Forms that ask the page which they stand on something else, such as filters: the focus stays at their button, or goes
 * to what is wrong. SvelteKit takes such an answer for a new page, which begins at its top, before the whole sidebar.
 */
import { afterNavigate } from '$app/navigation';
import { onMount } from 'svelte';

const asksHere = (form: HTMLFormElement): boolean =>
	form.method === 'get' &&
	form.closest('main') !== null &&
	new URL(form.action).pathname === location.pathname;

/** For the top of a component that stands on every page. */
export function keepAskersFocus(): void {
	onMount(() => {
		const hear = ({ target, submitter, defaultPrevented }: SubmitEvent): void => {
			if (defaultPrevented || !(target instanceof HTMLFormElement) || !asksHere(target)) return;
			target.dataset['sveltekitKeepfocus'] = '';
			// From the field that Enter was pressed in: with the focus there, the keys of a phone lie over the answer.
			submitter?.focus({ preventScroll: true });
		};
		// Before SvelteKit hears of it.
		addEventListener('submit', hear, { capture: true });
		return () => removeEventListener('submit', hear, { capture: true });
	});
	afterNavigate(({ type }) => {
		if (type !== 'form') return;
		document.querySelector<HTMLElement>('main [aria-invalid="true"]')?.focus();
	});
}
