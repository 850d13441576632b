import classes from "./KeyList.module.css";

interface KeyListProps {
  title: string;
  /** `combinations`: alternatives, each a list of keys that are pressed together. */
  keys: readonly { readonly what: string; readonly combinations: readonly (readonly string[])[] }[];
}

export function KeyList({ title, keys }: KeyListProps) {
  return (
    <section className={classes.group}>
      <h3>{title}</h3>
      <dl>
        {keys.map(({ what, combinations }) => (
          <div key={what}>
            <dt>{what}</dt>
            <dd>
              {combinations.map((names) => (
                <span key={names.join("+")} className={classes.keys}>
                  {names.map((name) => (
                    <kbd key={name}>{name}</kbd>
                  ))}
                </span>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
