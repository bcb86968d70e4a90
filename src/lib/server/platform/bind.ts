/**
 * Gives a use case what it works with, so that its callers do not.
 * @returns the use case with the rest of its parameters
 */
export const bindTo =
	<Dependencies>(deps: Dependencies) =>
	<Asked extends unknown[], Answer>(useCase: (deps: Dependencies, ...asked: Asked) => Answer) =>
	(...asked: Asked): Answer =>
		useCase(deps, ...asked);
