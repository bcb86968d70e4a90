/**
 * Creates the function through which the actions of a page return their results. It gives them one type, so that the
 * page can read each member of it whatever the action was.
 */
export const outcomeOf =
	<T>() =>
	(told: T): T =>
		told;
