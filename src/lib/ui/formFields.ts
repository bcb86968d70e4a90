import { getContext, setContext } from 'svelte';

/** What a form holds for its fields, by their names. */
export interface FormFields {
	/** What is wrong with them, as sentences. */
	readonly errors: Readonly<Partial<Record<string, string>>> | undefined;
	/** What is typed into them, where the form keeps it: a text, or what is ticked of several boxes of one name. */
	readonly typed: Partial<Record<string, string | string[]>> | undefined;
}

const KEY = Symbol('form fields');

/** For the top of the form's component. */
export const provideFormFields = (fields: FormFields): void => {
	setContext(KEY, fields);
};

/** The form that a field stands in; undefined outside of one. For the top of a component. */
export const formFields = (): FormFields | undefined => getContext(KEY);
