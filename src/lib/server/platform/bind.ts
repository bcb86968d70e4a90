/**
 * Binds the dependencies of a use case, so that its callers need not pass them.
 * @returns the use case with its remaining parameters
 */
export const bindTo =
	<Dependencies>(deps: Dependencies) =>
	<Asked extends unknown[], Answer>(useCase: (deps: Dependencies, ...asked: Asked) => Answer) =>
	(...asked: Asked): Answer =>
		useCase(deps, ...asked);
