import { getContext, setContext } from 'svelte';

/** What the buttons of a form know of it. */
interface FormStatus {
	/** The button by which it was sent; null while nothing is on its way. */
	readonly pressed: HTMLElement | null;
	/** It was sent, and the answer is not there yet. */
	readonly busy: boolean;
}

const KEY = Symbol('form');

/** For the top of the form's component. */
export const provideFormStatus = (status: FormStatus): void => {
	setContext(KEY, status);
};

/** The form that a component stands in; undefined outside of one. For the top of a component. */
export const formStatus = (): FormStatus | undefined => getContext(KEY);
