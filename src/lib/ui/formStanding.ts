import { getContext, setContext } from 'svelte';

/** What the buttons of a form know of it. */
interface FormStanding {
	/** The button by which it was sent; null while nothing is on its way. */
	readonly pressed: HTMLElement | null;
	/** It was sent, and the answer is not there yet. */
	readonly busy: boolean;
}

const KEY = Symbol('form');

/** For the top of the form's component. */
export const provideFormStanding = (standing: FormStanding): void => {
	setContext(KEY, standing);
};

/** The form that a component stands in; undefined outside of one. For the top of a component. */
export const formStanding = (): FormStanding | undefined => getContext(KEY);
