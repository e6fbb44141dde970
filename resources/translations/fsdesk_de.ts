<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
  <context>
    <name>fsdesk</name>
    <message>
      <source> (it holds {there})</source>
      <translation> (sie enthält {there})</translation>
    </message>
    <message>
      <source> and </source>
      <translation> und </translation>
    </message>
    <message>
      <source> and {count} more</source>
      <translation> und {count} weitere</translation>
    </message>
    <message>
      <source>"{columns}" holds text in "{name}", such as {levels}, and numbers in the table of the run: correct that column.</source>
      <translation>„{columns}“ enthält in „{name}“ Text, etwa {levels}, und in der Tabelle des Laufs Zahlen: Korrigieren Sie diese Spalte.</translation>
    </message>
    <message>
      <source>"{first}" and "{second}"</source>
      <translation>„{first}“ und „{second}“</translation>
    </message>
    <message>
      <source>"{folder}" cannot keep the download ({strerror}); free it.</source>
      <translation>„{folder}“ kann den Download nicht aufnehmen ({strerror}); schaffen Sie dort Platz.</translation>
    </message>
    <message>
      <source>"{group}" has rows of "{name}" without a group: fill them.</source>
      <translation>„{group}“ hat in „{name}“ Zeilen ohne Gruppe: Füllen Sie sie aus.</translation>
    </message>
    <message>
      <source>"{key}" in "{name}" does not fit into memory; save fewer columns.</source>
      <translation>„{key}“ in „{name}“ passt nicht in den Speicher; sichern Sie weniger Spalten.</translation>
    </message>
    <message>
      <source>"{key}" in "{name}" is of the MATLAB class "{made_by}", which cannot be read; save it as cellstr({key2}) or double({key3}).</source>
      <translation>„{key}“ in „{name}“ ist von der MATLAB-Klasse „{made_by}“, die nicht gelesen werden kann; sichern Sie es als cellstr({key2}) oder double({key3}).</translation>
    </message>
    <message>
      <source>"{key}" in "{name}" is {height} x {width}, too large for this program; save fewer columns.</source>
      <translation>„{key}“ in „{name}“ ist {height} x {width}, zu groß für dieses Programm; sichern Sie weniger Spalten.</translation>
    </message>
    <message>
      <source>"{key}" in "{name}" is {size}, too large for this program; save fewer columns.</source>
      <translation>„{key}“ in „{name}“ ist {size}, zu groß für dieses Programm; sichern Sie weniger Spalten.</translation>
    </message>
    <message>
      <source>"{labels}" has labels for the columns of "{name}", not for its rows; set "Samples are in" to the other choice.</source>
      <translation>„{labels}“ hat Klassen für die Spalten von „{name}“, nicht für die Zeilen; wählen Sie bei „Proben stehen in“ das andere.</translation>
    </message>
    <message>
      <source>"{labels}" has more than one label for {twice}; keep one label a sample.</source>
      <translation>„{labels}“ hat mehr als eine Klasse für {twice}; behalten Sie eine Klasse je Probe.</translation>
    </message>
    <message>
      <source>"{labels}" has no label for {absent} of "{name}" (its first ids are {ids}); give a labels file with the same sample ids, or one column of labels in the order of the samples.</source>
      <translation>„{labels}“ hat keine Klasse für {absent} von „{name}“ (die ersten Kennungen dort sind {ids}); geben Sie eine Datei mit denselben Probenkennungen, oder eine Spalte von Klassen in der Reihenfolge der Proben.</translation>
    </message>
    <message>
      <source>"{name} = {value}" does not fit the target of this table.</source>
      <translation>„{name} = {value}“ passt nicht zur Zielgröße dieser Tabelle.</translation>
    </message>
    <message>
      <source>"{name}"</source>
      <translation>„{name}“</translation>
    </message>
    <message>
      <source>"{name}" cannot name a preset: use letters, digits and spaces.</source>
      <translation>„{name}“ kann keine Vorgabe heißen: Verwenden Sie Buchstaben, Ziffern und Leerzeichen.</translation>
    </message>
    <message>
      <source>"{name}" declares no @attribute; it is not a complete ARFF file.</source>
      <translation>„{name}“ erklärt kein @attribute; das ist keine vollständige ARFF-Datei.</translation>
    </message>
    <message>
      <source>"{name}" describes samples but holds no values, as is usual for sequencing; download the table of counts from the supplementary files of the series.</source>
      <translation>„{name}“ beschreibt Proben, enthält aber keine Werte, wie bei Sequenzierungen üblich; laden Sie die Tabelle der Zählungen aus den ergänzenden Dateien der Serie.</translation>
    </message>
    <message>
      <source>"{name}" does not fit into memory with its zeros filled in; save fewer features.</source>
      <translation>„{name}“ passt mit allen Nullen nicht in den Speicher; sichern Sie weniger Merkmale.</translation>
    </message>
    <message>
      <source>"{name}" does not fit into memory; save fewer columns.</source>
      <translation>„{name}“ passt nicht in den Speicher; sichern Sie weniger Spalten.</translation>
    </message>
    <message>
      <source>"{name}" has no @data line; it is not a complete ARFF file.</source>
      <translation>„{name}“ hat keine Zeile @data; das ist keine vollständige ARFF-Datei.</translation>
    </message>
    <message>
      <source>"{name}" has no column "{name2}" ({role}); did you mean {near}?</source>
      <translation>„{name}“ hat keine Spalte „{name2}“ ({role}); meinten Sie {near}?</translation>
    </message>
    <message>
      <source>"{name}" has no column "{name2}" ({role}); its columns are {columns}.</source>
      <translation>„{name}“ hat keine Spalte „{name2}“ ({role}); die Spalten sind {columns}.</translation>
    </message>
    <message>
      <source>"{name}" has no columns beside the sample ids; check the separator.</source>
      <translation>„{name}“ hat außer den Probenkennungen keine Spalten; prüfen Sie das Trennzeichen.</translation>
    </message>
    <message>
      <source>"{name}" has no features beside its target; open a table with more columns.</source>
      <translation>„{name}“ hat außer der Zielgröße keine Merkmale; öffnen Sie eine Tabelle mit mehr Spalten.</translation>
    </message>
    <message>
      <source>"{name}" has no features left: {names} cannot be used; open a table with measurements beside the target.</source>
      <translation>„{name}“ hat keine Merkmale mehr: {names} kann man nicht verwenden; öffnen Sie eine Tabelle mit Messwerten neben der Zielgröße.</translation>
    </message>
    <message>
      <source>"{name}" has no matrix "{wanted}" ({there}); save the values as X and the classes as Y, or name the part of the file to open.</source>
      <translation>„{name}“ hat keine Matrix „{wanted}“ ({there}); sichern Sie die Werte als X und die Klassen als Y, oder nennen Sie den Teil der Datei, der geöffnet werden soll.</translation>
    </message>
    <message>
      <source>"{name}" has no matrix "{wanted}" ({there}); save the values as X and the classes as Y.</source>
      <translation>„{name}“ hat keine Matrix „{wanted}“ ({there}); sichern Sie die Werte als X und die Klassen als Y.</translation>
    </message>
    <message>
      <source>"{name}" has no matrix of numbers{value}; save the values as X and the classes as Y.</source>
      <translation>„{name}“ hat keine Matrix von Zahlen{value}; sichern Sie die Werte als X und die Klassen als Y.</translation>
    </message>
    <message>
      <source>"{name}" has no part "{wanted}"; {there}.</source>
      <translation>„{name}“ hat keinen Teil „{wanted}“; {there}.</translation>
    </message>
    <message>
      <source>"{name}" has no rows below @data; choose a table with data in it.</source>
      <translation>„{name}“ hat keine Zeilen unter @data; wählen Sie eine Tabelle mit Daten.</translation>
    </message>
    <message>
      <source>"{name}" has no rows below its header; choose a table with data in it.</source>
      <translation>„{name}“ hat keine Zeilen unter der Kopfzeile; wählen Sie eine Tabelle mit Daten.</translation>
    </message>
    <message>
      <source>"{name}" has no rows; choose a table with data in it.</source>
      <translation>„{name}“ hat keine Zeilen; wählen Sie eine Tabelle mit Daten.</translation>
    </message>
    <message>
      <source>"{name}" has no rows; open a table with data in it.</source>
      <translation>„{name}“ hat keine Zeilen; öffnen Sie eine Tabelle mit Daten.</translation>
    </message>
    <message>
      <source>"{name}" has no samples beside the feature names; check orientation and separator.</source>
      <translation>„{name}“ hat außer den Namen der Merkmale keine Proben; prüfen Sie Ausrichtung und Trennzeichen.</translation>
    </message>
    <message>
      <source>"{name}" has no sheet "{wanted}"; choose one of: {near}.</source>
      <translation>„{name}“ hat kein Blatt „{wanted}“; wählen Sie eines von: {near}.</translation>
    </message>
    <message>
      <source>"{name}" has no sheet with a table ({sheets}); choose another file.</source>
      <translation>„{name}“ hat kein Blatt mit einer Tabelle ({sheets}); wählen Sie eine andere Datei.</translation>
    </message>
    <message>
      <source>"{name}" has no sheets; choose another file.</source>
      <translation>„{name}“ hat keine Blätter; wählen Sie eine andere Datei.</translation>
    </message>
    <message>
      <source>"{name}" has {features} features and {samples} samples; choose another table.</source>
      <translation>„{name}“ hat {features} Merkmale und {samples} Proben; wählen Sie eine andere Tabelle.</translation>
    </message>
    <message>
      <source>"{name}" has {found} features where its second line says {features}; it is cut short or that line is wrong.</source>
      <translation>„{name}“ hat {found} Merkmale, wo die zweite Zeile {features} sagt; die Datei ist abgeschnitten oder die Zeile falsch.</translation>
    </message>
    <message>
      <source>"{name}" has {header} columns, which is more than the {most_columns} that a table of descriptions may have: is it a table of measurements?</source>
      <translation>„{name}“ hat {header} Spalten, mehr als die {most_columns}, die eine Tabelle von Beschreibungen haben darf: Ist es eine Tabelle von Messwerten?</translation>
    </message>
    <message>
      <source>"{name}" has {rows} labels and "{name2}" has {rows2} samples; give one label a sample, or sample ids in both.</source>
      <translation>„{name}“ hat {rows} Klassen und „{name2}“ hat {rows2} Proben; geben Sie eine Klasse je Probe, oder Probenkennungen in beiden.</translation>
    </message>
    <message>
      <source>"{name}" holds no descriptions: give a table with a line of titles, a column that names the features, and at least one other column.</source>
      <translation>„{name}“ enthält keine Beschreibungen: Geben Sie eine Tabelle mit einer Titelzeile, einer Spalte mit den Namen der Merkmale und wenigstens einer weiteren Spalte.</translation>
    </message>
    <message>
      <source>"{name}" holds no table (only blank lines); choose another file.</source>
      <translation>„{name}“ enthält keine Tabelle (nur leere Zeilen); wählen Sie eine andere Datei.</translation>
    </message>
    <message>
      <source>"{name}" holds no table; choose another file or sheet.</source>
      <translation>„{name}“ enthält keine Tabelle; wählen Sie eine andere Datei oder ein anderes Blatt.</translation>
    </message>
    <message>
      <source>"{name}" holds no values in LIBSVM's format; choose a table with data in it.</source>
      <translation>„{name}“ enthält keine Werte im Format von LIBSVM; wählen Sie eine Tabelle mit Daten.</translation>
    </message>
    <message>
      <source>"{name}" holds nothing (0 bytes when unpacked); choose a file with a table in it.</source>
      <translation>„{name}“ enthält nichts (ausgepackt 0 Bytes); wählen Sie eine Datei mit einer Tabelle.</translation>
    </message>
    <message>
      <source>"{name}" holds several tables ({parts}); name the part of the file to open.</source>
      <translation>„{name}“ enthält mehrere Tabellen ({parts}); nennen Sie den Teil der Datei, der geöffnet werden soll.</translation>
    </message>
    <message>
      <source>"{name}" holds text in "{name2}": the run predicts numbers.</source>
      <translation>„{name}“ enthält in „{name2}“ Text: Der Lauf sagt Zahlen vorher.</translation>
    </message>
    <message>
      <source>"{name}" holds {names} files; unpack it and open the table inside.</source>
      <translation>„{name}“ enthält {names} Dateien; entpacken Sie sie und öffnen Sie die Tabelle darin.</translation>
    </message>
    <message>
      <source>"{name}" in "{name2}" has classes that were not learned, {unknown}: the run knows {classes}.</source>
      <translation>„{name}“ hat in „{name2}“ Klassen, die nicht gelernt wurden, {unknown}: Der Lauf kennt {classes}.</translation>
    </message>
    <message>
      <source>"{name}" is a PDF document; open a table, such as a CSV file.</source>
      <translation>„{name}“ ist ein PDF-Dokument; öffnen Sie eine Tabelle, etwa eine CSV-Datei.</translation>
    </message>
    <message>
      <source>"{name}" is a damaged {kind} file{value}; {advice}.</source>
      <translation>„{name}“ ist eine beschädigte {kind}-Datei{value}; {advice}.</translation>
    </message>
    <message>
      <source>"{name}" is a database; save its table as CSV, and open that.</source>
      <translation>„{name}“ ist eine Datenbank; sichern Sie deren Tabelle als CSV, und öffnen Sie diese.</translation>
    </message>
    <message>
      <source>"{name}" is a picture; open a table, such as a CSV file.</source>
      <translation>„{name}“ ist ein Bild; öffnen Sie eine Tabelle, etwa eine CSV-Datei.</translation>
    </message>
    <message>
      <source>"{name}" is a sealed bundle of results and no table: "fsdesk verify" checks it, and report.html in it can be read in a browser.</source>
      <translation>„{name}“ ist ein versiegeltes Bündel von Ergebnissen und keine Tabelle: „fsdesk verify“ prüft es, und report.html darin ist im Browser zu lesen.</translation>
    </message>
    <message>
      <source>"{name}" is a setting of several parts: write {ways}.</source>
      <translation>„{name}“ ist eine Einstellung mehrerer Teile: Schreiben Sie {ways}.</translation>
    </message>
    <message>
      <source>"{name}" is a store of pandas, which cannot be read; save the table with to_parquet.</source>
      <translation>„{name}“ ist ein Speicher von pandas, der nicht gelesen werden kann; sichern Sie die Tabelle mit to_parquet.</translation>
    </message>
    <message>
      <source>"{name}" is a zip archive that is damaged or cut short; get the file again.</source>
      <translation>„{name}“ ist ein Zip-Archiv, das beschädigt oder abgeschnitten ist; holen Sie die Datei noch einmal.</translation>
    </message>
    <message>
      <source>"{name}" is a {titles} archive that is damaged or cut short; get the file again.</source>
      <translation>„{name}“ ist ein {titles}-Archiv, das beschädigt oder abgeschnitten ist; holen Sie die Datei noch einmal.</translation>
    </message>
    <message>
      <source>"{name}" is an AnnData file, which cannot be read; save its table as CSV or Parquet.</source>
      <translation>„{name}“ ist eine AnnData-Datei, die nicht gelesen werden kann; sichern Sie ihre Tabelle als CSV oder Parquet.</translation>
    </message>
    <message>
      <source>"{name}" is an archive of files (tar); unpack it and open the table inside.</source>
      <translation>„{name}“ ist ein Archiv von Dateien (tar); packen Sie es aus und öffnen Sie die Tabelle darin.</translation>
    </message>
    <message>
      <source>"{name}" is cut short (it has no line "{missing}"); download it again.</source>
      <translation>„{name}“ ist abgeschnitten (es fehlt die Zeile „{missing}“); laden Sie die Datei noch einmal herunter.</translation>
    </message>
    <message>
      <source>"{name}" is empty (0 bytes); choose a file with a table in it.</source>
      <translation>„{name}“ ist leer (0 Bytes); wählen Sie eine Datei mit einer Tabelle.</translation>
    </message>
    <message>
      <source>"{name}" is in the list of presets now.</source>
      <translation>„{name}“ ist jetzt in der Liste der Vorgaben.</translation>
    </message>
    <message>
      <source>"{name}" is no settings file ({error}): choose one that was saved with Save settings.</source>
      <translation>„{name}“ ist keine Einstellungsdatei ({error}): Wählen Sie eine, die mit „Einstellungen speichern“ gespeichert wurde.</translation>
    </message>
    <message>
      <source>"{name}" is not UTF-8; it was read as {titles}, so check names with accents.</source>
      <translation>„{name}“ ist nicht UTF-8; die Datei wurde als {titles} gelesen, prüfen Sie also Namen mit Umlauten und Akzenten.</translation>
    </message>
    <message>
      <source>"{name}" is not a MATLAB file or is damaged; save it again with save(..., "-v7").</source>
      <translation>„{name}“ ist keine MATLAB-Datei oder ist beschädigt; sichern Sie sie noch einmal mit save(..., "-v7").</translation>
    </message>
    <message>
      <source>"{name}" is not a Parquet file or is damaged; write it again.</source>
      <translation>„{name}“ ist keine Parquet-Datei oder ist beschädigt; schreiben Sie sie noch einmal.</translation>
    </message>
    <message>
      <source>"{name}" is not a file of R or is damaged; save it again with saveRDS or save.</source>
      <translation>„{name}“ ist keine Datei von R oder ist beschädigt; sichern Sie sie noch einmal mit saveRDS oder save.</translation>
    </message>
    <message>
      <source>"{name}" is not a spreadsheet that can be read (broken or protected by a password); save it again in Excel, or as CSV.</source>
      <translation>„{name}“ ist keine lesbare Arbeitsmappe (beschädigt oder durch ein Passwort geschützt); sichern Sie sie noch einmal in Excel, oder als CSV.</translation>
    </message>
    <message>
      <source>"{name}" is not a text file (it holds binary data); open a CSV, ARFF, .mat or Excel table.</source>
      <translation>„{name}“ ist keine Textdatei (sie enthält Binärdaten); öffnen Sie eine Tabelle in CSV, ARFF, .mat oder Excel.</translation>
    </message>
    <message>
      <source>"{name}" is not in LIBSVM's format, or too large for this program; write it again.</source>
      <translation>„{name}“ ist nicht im Format von LIBSVM, oder zu groß für dieses Programm; schreiben Sie die Datei noch einmal.</translation>
    </message>
    <message>
      <source>"{name}" is not {title} (byte {start} does not fit); choose another encoding.</source>
      <translation>„{name}“ ist nicht {title} (Byte {start} passt nicht); wählen Sie eine andere Kodierung.</translation>
    </message>
    <message>
      <source>"{name}" is protected by a password or packed in an unusual way; unpack it and open the table inside.</source>
      <translation>„{name}“ ist durch ein Passwort geschützt oder ungewöhnlich gepackt; entpacken Sie sie und öffnen Sie die Tabelle darin.</translation>
    </message>
    <message>
      <source>"{name}" is {kind}, which needs the library {library}; install it with: pip install "fsdesk[formats]", and open the file again.</source>
      <translation>„{name}“ ist {kind}, wofür die Bibliothek {library} gebraucht wird; installieren Sie sie mit: pip install "fsdesk[formats]", und öffnen Sie die Datei noch einmal.</translation>
    </message>
    <message>
      <source>"{name}" is {rows} x {width} once its zeros are filled in, too large for this program; save fewer features.</source>
      <translation>„{name}“ ist mit allen Nullen {rows} x {width}, zu groß für dieses Programm; sichern Sie weniger Merkmale.</translation>
    </message>
    <message>
      <source>"{name}" is {rows} x {width}, too large for this program; save fewer columns.</source>
      <translation>„{name}“ ist {rows} x {width}, zu groß für dieses Programm; sichern Sie weniger Spalten.</translation>
    </message>
    <message>
      <source>"{name}" lacks {missing} of the {needed} selected features, {missing2}: columns are matched by their names, so name them as in the table of the run.</source>
      <translation>„{name}“ fehlen {missing} der {needed} ausgewählten Merkmale, {missing2}: Spalten werden nach Namen zugeordnet, benennen Sie sie also wie in der Tabelle des Laufs.</translation>
    </message>
    <message>
      <source>"{name}" unpacks to more than {most_unpacked} bytes, too large for this program; save the sheet as CSV, and open that.</source>
      <translation>„{name}“ entpackt sich auf mehr als {most_unpacked} Bytes, zu viel für dieses Programm; speichern Sie das Blatt als CSV und öffnen Sie das.</translation>
    </message>
    <message>
      <source>"{name}" unpacks to more than {most} bytes, too large for this program; open a smaller table.</source>
      <translation>„{name}“ wird ausgepackt größer als {most} Bytes, zu groß für dieses Programm; öffnen Sie eine kleinere Tabelle.</translation>
    </message>
    <message>
      <source>"{out}" cannot be written ({strerror}): choose another folder.</source>
      <translation>„{out}“ kann nicht geschrieben werden ({strerror}): Wählen Sie einen anderen Ordner.</translation>
    </message>
    <message>
      <source>"{path}" can only be read: save the project elsewhere to go on with it.</source>
      <translation>„{path}“ kann nur gelesen werden: Speichern Sie das Projekt anderswo, um damit weiterzuarbeiten.</translation>
    </message>
    <message>
      <source>"{path}" cannot be read ({error}).</source>
      <translation>„{path}“ kann nicht gelesen werden ({error}).</translation>
    </message>
    <message>
      <source>"{path}" cannot be read ({strerror}): check its name.</source>
      <translation>„{path}“ kann nicht gelesen werden ({strerror}): Prüfen Sie den Namen.</translation>
    </message>
    <message>
      <source>"{path}" cannot be read ({strerror}); check the disk and the name.</source>
      <translation>„{path}“ kann nicht gelesen werden ({strerror}); prüfen Sie Laufwerk und Namen.</translation>
    </message>
    <message>
      <source>"{path}" cannot be used ({strerror}): choose another folder.</source>
      <translation>„{path}“ ist nicht zu verwenden ({strerror}): Wählen Sie einen anderen Ordner.</translation>
    </message>
    <message>
      <source>"{path}" cannot be used ({text}): check the disk that it is on.</source>
      <translation>„{path}“ ist nicht zu verwenden ({text}): Prüfen Sie das Laufwerk.</translation>
    </message>
    <message>
      <source>"{path}" cannot be written ({reason}): choose another folder or name.</source>
      <translation>„{path}“ kann nicht geschrieben werden ({reason}): Wählen Sie einen anderen Ordner oder Namen.</translation>
    </message>
    <message>
      <source>"{path}" cannot be written ({reason}): choose another folder.</source>
      <translation>„{path}“ kann nicht geschrieben werden ({reason}): Wählen Sie einen anderen Ordner.</translation>
    </message>
    <message>
      <source>"{path}" cannot be written ({strerror}): free space, or close it.</source>
      <translation>„{path}“ kann nicht geschrieben werden ({strerror}): Schaffen Sie Platz oder schließen Sie die Datei.</translation>
    </message>
    <message>
      <source>"{path}" cannot be written to: save the project in another folder first.</source>
      <translation>In „{path}“ kann nicht geschrieben werden: Sichern Sie das Projekt zuerst in einem anderen Ordner.</translation>
    </message>
    <message>
      <source>"{path}" cannot be written: choose a folder that you may write to.</source>
      <translation>„{path}“ kann nicht geschrieben werden: Wählen Sie einen Ordner, in den Sie schreiben dürfen.</translation>
    </message>
    <message>
      <source>"{path}" does not hold the data of this run: it is incomplete.</source>
      <translation>„{path}“ enthält die Daten dieses Laufs nicht: Die Datei ist unvollständig.</translation>
    </message>
    <message>
      <source>"{path}" does not hold what this belongs to ({error}): it is incomplete.</source>
      <translation>„{path}“ enthält nicht, wozu dies gehört ({error}): Die Datei ist unvollständig.</translation>
    </message>
    <message>
      <source>"{path}" exists already: open it, or choose another name.</source>
      <translation>„{path}“ gibt es schon: Öffnen Sie die Datei, oder wählen Sie einen anderen Namen.</translation>
    </message>
    <message>
      <source>"{path}" has {which}; there are: {known}.</source>
      <translation>„{path}“ hat {which}; es gibt: {known}.</translation>
    </message>
    <message>
      <source>"{path}" holds a key of another kind than Ed25519: move it away, and a new one is made.</source>
      <translation>„{path}“ enthält einen Schlüssel anderer Art als Ed25519: Verschieben Sie ihn, dann wird ein neuer erzeugt.</translation>
    </message>
    <message>
      <source>"{path}" holds a run that this fsdesk does not know: update fsdesk.</source>
      <translation>„{path}“ enthält einen Lauf, den dieses fsdesk nicht kennt: Aktualisieren Sie fsdesk.</translation>
    </message>
    <message>
      <source>"{path}" is a folder; choose the table file inside it.</source>
      <translation>„{path}“ ist ein Ordner; wählen Sie die Datei mit der Tabelle darin.</translation>
    </message>
    <message>
      <source>"{path}" is being written by another program: close it there and try again.</source>
      <translation>„{path}“ wird gerade von einem anderen Programm geschrieben: Schließen Sie die Datei dort und versuchen Sie es noch einmal.</translation>
    </message>
    <message>
      <source>"{path}" is damaged, cut short or not an fsdesk project: open a backup copy of it.</source>
      <translation>„{path}“ ist beschädigt, abgeschnitten oder kein Projekt von fsdesk: Öffnen Sie eine Sicherungskopie.</translation>
    </message>
    <message>
      <source>"{path}" is no key to sign with: move it away, and a new one is made.</source>
      <translation>„{path}“ ist kein Schlüssel zum Unterschreiben: Verschieben Sie die Datei, dann wird ein neuer erzeugt.</translation>
    </message>
    <message>
      <source>"{path}" is no preset: it is too large.</source>
      <translation>„{path}“ ist keine Vorgabe: Die Datei ist zu groß.</translation>
    </message>
    <message>
      <source>"{path}" is no sealed bundle of fsdesk, or is cut short: get it again.</source>
      <translation>„{path}“ ist kein versiegeltes Bündel von fsdesk, oder ist abgeschnitten: Holen Sie es noch einmal.</translation>
    </message>
    <message>
      <source>"{path}" is no study file ({error}): see fsdesk study --help.</source>
      <translation>„{path}“ ist keine Studiendatei ({error}): siehe fsdesk study --help.</translation>
    </message>
    <message>
      <source>"{path}" is no text: choose a settings file.</source>
      <translation>„{path}“ ist kein Text: Wählen Sie eine Datei mit Einstellungen.</translation>
    </message>
    <message>
      <source>"{path}" is not an fsdesk project: choose a file that fsdesk saved.</source>
      <translation>„{path}“ ist kein Projekt von fsdesk: Wählen Sie eine Datei, die fsdesk gesichert hat.</translation>
    </message>
    <message>
      <source>"{path}" is open in another fsdesk (process {pid}): wait for it, or close it.</source>
      <translation>„{path}“ ist in einem anderen fsdesk geöffnet (Prozess {pid}): Warten Sie darauf oder schließen Sie es.</translation>
    </message>
    <message>
      <source>"{path}" is open in another window: choose another name.</source>
      <translation>„{path}“ ist in einem anderen Fenster offen: Wählen Sie einen anderen Namen.</translation>
    </message>
    <message>
      <source>"{path}" is too large for a settings file.</source>
      <translation>„{path}“ ist zu groß für eine Datei mit Einstellungen.</translation>
    </message>
    <message>
      <source>"{path}" may not be read; check its permissions.</source>
      <translation>„{path}“ darf nicht gelesen werden; prüfen Sie die Rechte.</translation>
    </message>
    <message>
      <source>"{path}" says that it holds more than 8 GB: it is no bundle of fsdesk.</source>
      <translation>„{path}“ will mehr als 8 GB enthalten: Das ist kein Bündel von fsdesk.</translation>
    </message>
    <message>
      <source>"{path}" was made by a newer fsdesk: update fsdesk to check it.</source>
      <translation>„{path}“ ist von einem neueren fsdesk: Aktualisieren Sie fsdesk, um es zu prüfen.</translation>
    </message>
    <message>
      <source>"{path}" was made by an older fsdesk, whose bundles hold too little to check them: export it again from its project.</source>
      <translation>„{path}“ stammt von einem älteren fsdesk, dessen Bündel zu wenig enthalten, um sie zu prüfen: Exportieren Sie es noch einmal aus seinem Projekt.</translation>
    </message>
    <message>
      <source>"{path}" was saved by a newer fsdesk: update fsdesk to open it.</source>
      <translation>„{path}“ ist von einem neueren fsdesk gesichert: Aktualisieren Sie fsdesk, um es zu öffnen.</translation>
    </message>
    <message>
      <source>"{title}" is scikit-learn's own: there is nothing to compare; choose among: {names}.</source>
      <translation>„{title}“ gehört zu scikit-learn selbst: Es gibt nichts zu vergleichen; wählen Sie unter: {names}.</translation>
    </message>
    <message>
      <source>"{title}" searches nothing, so a start is of no use to it: leave the start out, or choose another method.</source>
      <translation>„{title}“ sucht nichts, also nützt ihm ein Anfang nichts: Lassen Sie den Anfang weg oder wählen Sie ein anderes Verfahren.</translation>
    </message>
    <message>
      <source>"{x_name}" has one sample a column, as "{y_name}" shows; it was transposed.</source>
      <translation>„{x_name}“ hat je Spalte eine Probe, wie „{y_name}“ zeigt; die Tabelle wurde gedreht.</translation>
    </message>
    <message>
      <source>&amp;About fsdesk</source>
      <translation>&amp;Über fsdesk</translation>
    </message>
    <message>
      <source>&amp;Back to the first screen</source>
      <translation>Zur Startseite zu&amp;rück</translation>
    </message>
    <message>
      <source>&amp;Clear this list; pinned files stay</source>
      <translation>Diese Liste &amp;leeren; angeheftete Dateien bleiben</translation>
    </message>
    <message>
      <source>&amp;Compare</source>
      <translation>&amp;Vergleich</translation>
    </message>
    <message>
      <source>&amp;Copy selected features</source>
      <translation>Gewählte Merkmale &amp;kopieren</translation>
    </message>
    <message>
      <source>&amp;Dark</source>
      <translation>&amp;Dunkel</translation>
    </message>
    <message>
      <source>&amp;Data</source>
      <translation>&amp;Daten</translation>
    </message>
    <message>
      <source>&amp;Edit</source>
      <translation>&amp;Bearbeiten</translation>
    </message>
    <message>
      <source>&amp;Export results …</source>
      <translation>Ergebnisse &amp;exportieren …</translation>
    </message>
    <message>
      <source>&amp;File</source>
      <translation>&amp;Datei</translation>
    </message>
    <message>
      <source>&amp;Find in the table</source>
      <translation>In der Tabelle su&amp;chen</translation>
    </message>
    <message>
      <source>&amp;From OpenML …</source>
      <translation>&amp;Von OpenML …</translation>
    </message>
    <message>
      <source>&amp;Help</source>
      <translation>&amp;Hilfe</translation>
    </message>
    <message>
      <source>&amp;Help on this</source>
      <translation>&amp;Hilfe hierzu</translation>
    </message>
    <message>
      <source>&amp;Keys</source>
      <translation>&amp;Tasten</translation>
    </message>
    <message>
      <source>&amp;Light</source>
      <translation>&amp;Hell</translation>
    </message>
    <message>
      <source>&amp;Load settings …</source>
      <translation>Einstellungen &amp;laden …</translation>
    </message>
    <message>
      <source>&amp;Open …</source>
      <translation>&amp;Öffnen …</translation>
    </message>
    <message>
      <source>&amp;Pause</source>
      <translation>&amp;Pause</translation>
    </message>
    <message>
      <source>&amp;Quit</source>
      <translation>&amp;Beenden</translation>
    </message>
    <message>
      <source>&amp;Redo</source>
      <translation>&amp;Wiederherstellen</translation>
    </message>
    <message>
      <source>&amp;Run</source>
      <translation>&amp;Start</translation>
    </message>
    <message>
      <source>&amp;Save project as …</source>
      <translation>Projekt speichern &amp;unter …</translation>
    </message>
    <message>
      <source>&amp;Search</source>
      <translation>&amp;Suche</translation>
    </message>
    <message>
      <source>&amp;Stop</source>
      <translation>St&amp;opp</translation>
    </message>
    <message>
      <source>&amp;Theme</source>
      <translation>&amp;Farben</translation>
    </message>
    <message>
      <source>&amp;Tour</source>
      <translation>&amp;Rundgang</translation>
    </message>
    <message>
      <source>&amp;Undo</source>
      <translation>&amp;Rückgängig</translation>
    </message>
    <message>
      <source>&amp;View</source>
      <translation>&amp;Ansicht</translation>
    </message>
    <message>
      <source>+ and −; with Ctrl</source>
      <translation>+ und −; mit Strg</translation>
    </message>
    <message>
      <source>, and a penalty of {penalty:g} times the share of features used</source>
      <translation>, und ein Aufschlag vom {penalty:g}-fachen des Anteils der benutzten Merkmale</translation>
    </message>
    <message>
      <source>, for example {likely}</source>
      <translation>, zum Beispiel {likely}</translation>
    </message>
    <message>
      <source>, or predict it as a number</source>
      <translation>, oder sagen Sie sie als Zahl vorher</translation>
    </message>
    <message>
      <source>, ≤ {time}</source>
      <translation>, ≤ {time}</translation>
    </message>
    <message>
      <source>. If each row is a feature and each column a sample, set "Samples are in" to columns and name a file with the labels</source>
      <translation>. Ist jede Zeile ein Merkmal und jede Spalte eine Probe, so stellen Sie „Proben stehen in“ auf Spalten und nennen Sie eine Datei mit den Klassen</translation>
    </message>
    <message>
      <source>. If it is one more feature, name a file with the labels of the samples</source>
      <translation>. Ist sie nur ein weiteres Merkmal, so nennen Sie eine Datei mit den Klassen der Proben</translation>
    </message>
    <message>
      <source>0: one below 100 features, else log2(features / 8)</source>
      <translation>0: eine unter 100 Merkmalen, sonst log2(Merkmale / 8)</translation>
    </message>
    <message>
      <source>0: the best error decides</source>
      <translation>0: Der beste Fehler entscheidet</translation>
    </message>
    <message>
      <source>0: the error on rows held out decides</source>
      <translation>0: Der Fehler auf zurückgehaltenen Zeilen entscheidet</translation>
    </message>
    <message>
      <source>0: the measurements are the limit</source>
      <translation>0: Die Messungen sind die Grenze</translation>
    </message>
    <message>
      <source>1 for each mistake</source>
      <translation>1 für jeden Fehler</translation>
    </message>
    <message>
      <source>1 row in {every} is drawn</source>
      <translation>1 von {every} Zeilen ist gezeichnet</translation>
    </message>
    <message>
      <source>1 row in {every} is drawn, the {most} features of the highest weight are drawn, of {count}</source>
      <translation>1 von {every} Zeilen ist gezeichnet, die {most} Merkmale mit dem höchsten Gewicht sind gezeichnet, von {count}</translation>
    </message>
    <message>
      <source>1 selected feature</source>
      <translation>1 ausgewähltes Merkmal</translation>
    </message>
    <message>
      <source>10-fold cross-validation: little less to learn from, and stable</source>
      <translation>10-fache Kreuzvalidierung: kaum weniger Zeilen zum Lernen, und stabil</translation>
    </message>
    <message>
      <source>1: rows held out alone decide; 0.05 is what most papers take</source>
      <translation>1: allein zurückgehaltene Zeilen entscheiden; 0,05 nehmen die meisten Arbeiten</translation>
    </message>
    <message>
      <source>20,000 genes</source>
      <translation>20.000 Gene</translation>
    </message>
    <message>
      <source>3000 measurements, for tables with fewer than 100 features.</source>
      <translation>3000 Messungen, für Tabellen mit weniger als 100 Merkmalen.</translation>
    </message>
    <message>
      <source>5: each search sees four fifths of the rows</source>
      <translation>5: jede Suche sieht vier Fünftel der Zeilen</translation>
    </message>
    <message>
      <source>9000 measurements, for tables with 100 features or more.</source>
      <translation>9000 Messungen, für Tabellen mit 100 oder mehr Merkmalen.</translation>
    </message>
    <message>
      <source>95 % interval {interval}</source>
      <translation>95-%-Intervall {interval}</translation>
    </message>
    <message>
      <source>; about {time} here, if they take them all</source>
      <translation>; etwa {time} hier, wenn sie alle ausgeschöpft werden</translation>
    </message>
    <message>
      <source>; measuring how long one takes …</source>
      <translation>; es wird gemessen, wie lange eine dauert …</translation>
    </message>
    <message>
      <source>; where classes are meant, choose another column{advice}</source>
      <translation>; sind Klassen gemeint, so wählen Sie eine andere Spalte{advice}</translation>
    </message>
    <message>
      <source>A .skops file needs the library skops: install it with: pip install skops.</source>
      <translation>Eine .skops-Datei braucht die Bibliothek skops: Installieren Sie sie mit: pip install skops.</translation>
    </message>
    <message>
      <source>A change shows in the table at once.</source>
      <translation>Eine Änderung ist sofort in der Tabelle zu sehen.</translation>
    </message>
    <message>
      <source>A click on the coloured square lays its curve over the others.</source>
      <translation>Ein Klick auf das farbige Quadrat legt seine Kurve über die anderen.</translation>
    </message>
    <message>
      <source>A desk for wrapper feature selection</source>
      <translation>Ein Arbeitsplatz für die Merkmalsauswahl mit Wrappern</translation>
    </message>
    <message>
      <source>A filter that judges each feature by itself and draws the ants to those that look useful alone.</source>
      <translation>Ein Filter, der jedes Merkmal für sich beurteilt und die Ameisen zu denen zieht, die allein nützlich aussehen.</translation>
    </message>
    <message>
      <source>A group with fewer rows is not split any further.</source>
      <translation>Eine Gruppe mit weniger Zeilen wird nicht weiter geteilt.</translation>
    </message>
    <message>
      <source>A hundred measurements: the standard error is a third of that of ten.</source>
      <translation>Hundert Messungen: Der Standardfehler ist ein Drittel dessen von zehn.</translation>
    </message>
    <message>
      <source>A parameter is a {name}, which cannot be kept in a project; give numbers, words, lists or estimators of scikit-learn.</source>
      <translation>Ein Parameter ist ein {name}, das ein Projekt nicht aufbewahren kann; geben Sie Zahlen, Wörter, Listen oder Modelle von scikit-learn.</translation>
    </message>
    <message>
      <source>A parent is the best of so many subsets drawn at random; more of them means harder selection.</source>
      <translation>Ein Elternteil ist die beste von so vielen zufällig gezogenen Teilmengen; mehr davon heißt härtere Auslese.</translation>
    </message>
    <message>
      <source>A preset of fsdesk: {name}</source>
      <translation>Eine Vorgabe von fsdesk: {name}</translation>
    </message>
    <message>
      <source>A round ends early when its subset has not improved for more than this many steps; 0 spends the plan.</source>
      <translation>Eine Runde endet vorzeitig, wenn ihre Teilmenge sich über mehr als so viele Schritte nicht verbessert hat; 0 schöpft den Plan aus.</translation>
    </message>
    <message>
      <source>A run is going on</source>
      <translation>Ein Lauf ist in Arbeit</translation>
    </message>
    <message>
      <source>A sealed bundle needs the log of the run: export it from the project that holds the run.</source>
      <translation>Ein versiegeltes Paket braucht das Protokoll des Laufs: Exportieren Sie es aus dem Projekt, das den Lauf enthält.</translation>
    </message>
    <message>
      <source>A search draws at random. The same search with other seeds shows how much of what it found is luck: features that come again and again can be trusted.</source>
      <translation>Eine Suche zieht zufällig. Dieselbe Suche mit anderen Startwerten zeigt, wie viel vom Gefundenen Glück ist: Merkmalen, die immer wieder kommen, ist zu trauen.</translation>
    </message>
    <message>
      <source>A second file with the class of every sample, joined by sample id, else by order.</source>
      <translation>Eine zweite Datei mit der Klasse jeder Probe, zugeordnet nach Probenkennung, sonst der Reihe nach.</translation>
    </message>
    <message>
      <source>A seed is a whole number from 0 on (got {seed}).</source>
      <translation>Ein Startwert ist eine ganze Zahl ab 0 (nicht {seed}).</translation>
    </message>
    <message>
      <source>A sheet of "{name}" spans more than {most_spanned} cells, nearly all of them empty; save the table as CSV, and open that.</source>
      <translation>Ein Blatt von „{name}“ umfasst mehr als {most_spanned} Zellen, fast alle davon leer; speichern Sie die Tabelle als CSV und öffnen Sie diese.</translation>
    </message>
    <message>
      <source>A sheet of Excel holds {excel_rows} rows and {excel_columns} columns, too few for this table: export it as CSV or Parquet.</source>
      <translation>Ein Blatt von Excel fasst {excel_rows} Zeilen und {excel_columns} Spalten, zu wenig für diese Tabelle: Exportieren Sie sie als CSV oder Parquet.</translation>
    </message>
    <message>
      <source>A step gains where it lowers the smallest error so far by at least this much (0.01 is one point of an error rate); below 0, errors that much larger pass too.</source>
      <translation>Ein Schritt gewinnt, wenn er den bisher kleinsten Fehler mindestens um so viel senkt (0,01 ist ein Punkt einer Fehlerrate); unter 0 gehen auch um so viel größere Fehler durch.</translation>
    </message>
    <message>
      <source>A table of the study has no "file": say which one it is (got {table}).</source>
      <translation>Eine Tabelle der Studie hat kein „file“: Sagen Sie, welche Datei es ist (angegeben: {table}).</translation>
    </message>
    <message>
      <source>A worker process ended unexpectedly ({reason}); nothing logged is lost, resume to go on.</source>
      <translation>Ein Arbeitsprozess endete unerwartet ({reason}); nichts Gemessenes ist verloren, mit Fortsetzen geht es weiter.</translation>
    </message>
    <message>
      <source>A wrapper is a name or an instance of a scikit-learn estimator (got {given}).</source>
      <translation>Ein Modell ist ein Name oder eine Instanz eines Schätzers von scikit-learn (nicht {given}).</translation>
    </message>
    <message>
      <source>AUC</source>
      <translation>AUC</translation>
    </message>
    <message>
      <source>AUC, class against class</source>
      <translation>AUC, Klasse gegen Klasse</translation>
    </message>
    <message>
      <source>About fsdesk</source>
      <translation>Über fsdesk</translation>
    </message>
    <message>
      <source>About {size} of memory in its worker</source>
      <translation>Etwa {size} Speicher im Arbeitsprozess</translation>
    </message>
    <message>
      <source>About {time} here, if it takes them all</source>
      <translation>Etwa {time} hier, wenn alle gebraucht werden</translation>
    </message>
    <message>
      <source>About {time}: each of {searches} searches ends after {limit}, your limit, with about {reached}</source>
      <translation>Etwa {time}: Jede von {searches} Suchen endet nach {limit}, Ihrer Grenze, mit etwa {reached}</translation>
    </message>
    <message>
      <source>Above {low} and below {high}</source>
      <translation>Über {low} und unter {high}</translation>
    </message>
    <message>
      <source>Above {low} to {high}</source>
      <translation>Über {low} bis {high}</translation>
    </message>
    <message>
      <source>Accepted at first</source>
      <translation>Anfangs angenommen</translation>
    </message>
    <message>
      <source>Add descriptions of the features</source>
      <translation>Beschreibungen der Merkmale hinzufügen</translation>
    </message>
    <message>
      <source>Add many …</source>
      <translation>Mehrere …</translation>
    </message>
    <message>
      <source>Add one row of each class to every leaf when class scores are wanted (Laplace); predicted classes stay.</source>
      <translation>Zählt in jedem Blatt eine Zeile jeder Klasse dazu, wenn Klassenwerte gebraucht werden (Laplace); vorhergesagte Klassen bleiben.</translation>
    </message>
    <message>
      <source>Adds one feature at a time; after each, removes earlier ones for as long as that lowers the error.</source>
      <translation>Fügt ein Merkmal nach dem anderen hinzu; entfernt nach jedem frühere, solange das den Fehler senkt.</translation>
    </message>
    <message>
      <source>Adds this times the share of features used to the loss, so that smaller subsets win; 0 adds nothing.</source>
      <translation>Addiert dies mal den Anteil verwendeter Merkmale zum Verlust, damit kleinere Teilmengen gewinnen; 0 addiert nichts.</translation>
    </message>
    <message>
      <source>Agreement of predicted and true classes: 1 is perfect, 0 no better than chance, whatever the class sizes.</source>
      <translation>Übereinstimmung vorhergesagter und wahrer Klassen: 1 ist vollkommen, 0 nicht besser als Zufall, bei jeder Klassengröße.</translation>
    </message>
    <message>
      <source>Aksakalli et al. 2021</source>
      <translation>Aksakalli et al. 2021</translation>
    </message>
    <message>
      <source>Aksakalli et al. 2021: by the sign of the weights</source>
      <translation>Aksakalli et al. 2021: nach dem Vorzeichen der Gewichte</translation>
    </message>
    <message>
      <source>Al-Ani 2005</source>
      <translation>Al-Ani 2005</translation>
    </message>
    <message>
      <source>Alike together</source>
      <translation>Ähnliche zusammen</translation>
    </message>
    <message>
      <source>All</source>
      <translation>Alle</translation>
    </message>
    <message>
      <source>All commands and their keys</source>
      <translation>Alle Befehle und ihre Tasten</translation>
    </message>
    <message>
      <source>All features</source>
      <translation>Alle Merkmale</translation>
    </message>
    <message>
      <source>All features are measured this many times, each time on new folds; the error is their mean.</source>
      <translation>Alle Merkmale werden so oft gemessen, jedes Mal auf neuen Folds; der Fehler ist ihr Mittel.</translation>
    </message>
    <message>
      <source>All features cannot be compared: {reason}</source>
      <translation>Alle Merkmale lassen sich nicht vergleichen: {reason}</translation>
    </message>
    <message>
      <source>All features of "{name}" are constant ({names}); open a table whose values differ from row to row.</source>
      <translation>Alle Merkmale von „{name}“ sind konstant ({names}); öffnen Sie eine Tabelle, deren Werte sich von Zeile zu Zeile unterscheiden.</translation>
    </message>
    <message>
      <source>All features that are significant at a false discovery rate of 5 %, as far as rows held out are predicted no worse with them.</source>
      <translation>Alle Merkmale, die bei einer Falscherkennungsrate von 5 % signifikant sind, soweit zurückgehaltene Zeilen mit ihnen nicht schlechter vorhergesagt werden.</translation>
    </message>
    <message>
      <source>All features that matter more than any shuffled one, as far as rows held out are predicted no worse with them.</source>
      <translation>Alle Merkmale, die wichtiger sind als jedes gemischte, soweit zurückgehaltene Zeilen mit ihnen nicht schlechter vorhergesagt werden.</translation>
    </message>
    <message>
      <source>All features, same rows</source>
      <translation>Alle Merkmale, dieselben Zeilen</translation>
    </message>
    <message>
      <source>All files</source>
      <translation>Alle Dateien</translation>
    </message>
    <message>
      <source>All numbers and settings, for programs</source>
      <translation>Alle Zahlen und Einstellungen, für Programme</translation>
    </message>
    <message>
      <source>All rows</source>
      <translation>Alle Zeilen</translation>
    </message>
    <message>
      <source>All rows at once; a line may stand for many features</source>
      <translation>Alle Zeilen auf einmal; eine Linie kann für viele Merkmale stehen</translation>
    </message>
    <message>
      <source>All rows of {name} are of one group: none is left to train on.</source>
      <translation>Alle Zeilen von {name} sind aus einer Gruppe: Es bleibt keine zum Lernen.</translation>
    </message>
    <message>
      <source>All rows of {name} are of one time: there is no later row to test.</source>
      <translation>Alle Zeilen von {name} sind aus einer Zeit: Es gibt keine spätere Zeile zum Prüfen.</translation>
    </message>
    <message>
      <source>All settings as the preset that suits the table has them (Ctrl+Backspace)</source>
      <translation>Alle Einstellungen so, wie die zur Tabelle passende Vorgabe sie hat (Strg+Rücktaste)</translation>
    </message>
    <message>
      <source>All strategies: a minute or two on a table of 20,000 features.</source>
      <translation>Alle Strategien: ein bis zwei Minuten bei einer Tabelle mit 20.000 Merkmalen.</translation>
    </message>
    <message>
      <source>All the same</source>
      <translation>Alle gleich</translation>
    </message>
    <message>
      <source>All values are missing.</source>
      <translation>Alle Werte fehlen.</translation>
    </message>
    <message>
      <source>All {size} features</source>
      <translation>Alle {size} Merkmale</translation>
    </message>
    <message>
      <source>Along</source>
      <translation>Entlang</translation>
    </message>
    <message>
      <source>Also when another program is in front</source>
      <translation>Auch wenn ein anderes Programm vorn ist</translation>
    </message>
    <message>
      <source>Always in</source>
      <translation>Immer drin</translation>
    </message>
    <message>
      <source>Always in from now</source>
      <translation>Ab jetzt immer drin</translation>
    </message>
    <message>
      <source>Always in from now on</source>
      <translation>Ab jetzt immer drin</translation>
    </message>
    <message>
      <source>An entry of the project's log is damaged and cannot be read.</source>
      <translation>Ein Eintrag im Protokoll des Projekts ist beschädigt und kann nicht gelesen werden.</translation>
    </message>
    <message>
      <source>An entry of the project's log is of another version: update fsdesk to open it.</source>
      <translation>Ein Eintrag im Protokoll des Projekts ist von einer anderen Version: Aktualisieren Sie fsdesk, um es zu öffnen.</translation>
    </message>
    <message>
      <source>And {count} more; {file} has them all.</source>
      <translation>Und {count} weitere; {file} enthält sie alle.</translation>
    </message>
    <message>
      <source>Another window has gone on with this run in "{path}": open the project again.</source>
      <translation>Ein anderes Fenster hat diesen Lauf in „{path}“ fortgesetzt: Öffnen Sie das Projekt noch einmal.</translation>
    </message>
    <message>
      <source>Answers</source>
      <translation>Antworten</translation>
    </message>
    <message>
      <source>Ant colony</source>
      <translation>Ameisenkolonie</translation>
    </message>
    <message>
      <source>Ants</source>
      <translation>Ameisen</translation>
    </message>
    <message>
      <source>Ants build subsets: each keeps a part of a good one and adds features that good subsets had in common.</source>
      <translation>Ameisen bauen Teilmengen: Jede behält einen Teil einer guten und fügt Merkmale hinzu, die gute Teilmengen gemeinsam hatten.</translation>
    </message>
    <message>
      <source>Any classifier or regressor of scikit-learn, by the name of its class. Every fold trains a model from nothing, so a measurement takes 50 fits by default: tens to thousands of times longer than the models above, and only the parts of it that scikit-learn has compiled use several cores at once.</source>
      <translation>Jeder Klassifikator oder Regressor von scikit-learn, mit dem Namen seiner Klasse. Jeder Fold trainiert ein Modell von Grund auf, eine Messung braucht also normalerweise 50 Anpassungen: zehn- bis tausendfach länger als die Modelle oben, und nur die in scikit-learn kompilierten Teile nutzen mehrere Kerne zugleich.</translation>
    </message>
    <message>
      <source>Apart</source>
      <translation>Einzeln</translation>
    </message>
    <message>
      <source>Areas under the curves</source>
      <translation>Flächen unter den Kurven</translation>
    </message>
    <message>
      <source>Arrow keys</source>
      <translation>Pfeiltasten</translation>
    </message>
    <message>
      <source>As AUC, for more than two classes as the mean over all pairs of classes, whatever their sizes.</source>
      <translation>Wie AUC, bei mehr als zwei Klassen als Mittel über alle Klassenpaare, unabhängig von ihrer Größe.</translation>
    </message>
    <message>
      <source>As for large tables, with the c that a comment in the authors' script names as best.</source>
      <translation>Wie für große Tabellen, mit dem c, das ein Kommentar im Skript der Autoren als bestes nennt.</translation>
    </message>
    <message>
      <source>As in the table</source>
      <translation>Wie in der Tabelle</translation>
    </message>
    <message>
      <source>As many measurements as the paper allows on tables with 100 features or more.</source>
      <translation>So viele Messungen, wie der Artikel bei Tabellen mit 100 oder mehr Merkmalen erlaubt.</translation>
    </message>
    <message>
      <source>As many measurements as the paper allows on tables with fewer than 100 features.</source>
      <translation>So viele Messungen, wie der Artikel bei Tabellen mit weniger als 100 Merkmalen erlaubt.</translation>
    </message>
    <message>
      <source>As suits</source>
      <translation>Wie es passt</translation>
    </message>
    <message>
      <source>As they run</source>
      <translation>In der Reihenfolge der Ausführung</translation>
    </message>
    <message>
      <source>Asking OpenML …</source>
      <translation>Anfrage an OpenML …</translation>
    </message>
    <message>
      <source>Asks one feature after another whether it is above or below a value, until the rows left together are of one class, or nearly equal numbers. Does not mind how features are scaled.</source>
      <translation>Fragt ein Merkmal nach dem anderen, ob es über oder unter einem Wert liegt, bis die verbleibenden Zeilen von einer Klasse oder fast gleiche Zahlen sind. Braucht keine Skalierung.</translation>
    </message>
    <message>
      <source>Asks one feature after another, as a key for plants does, and prunes questions that do not pay. Ignores useless features to a degree, takes missing values and categories as they are, and does not mind how features are scaled.</source>
      <translation>Fragt ein Merkmal nach dem anderen ab, wie ein Bestimmungsschlüssel für Pflanzen, und streicht Fragen, die sich nicht lohnen. Übergeht nutzlose Merkmale in Grenzen, nimmt fehlende Werte und Kategorien, wie sie sind, und braucht keine Skalierung.</translation>
    </message>
    <message>
      <source>At least two branches of a question must have this many rows; larger values give smaller trees.</source>
      <translation>Mindestens zwei Zweige einer Frage müssen so viele Zeilen haben; größere Werte geben kleinere Bäume.</translation>
    </message>
    <message>
      <source>At most 30 steps, each with about as many measurements as the table has features.</source>
      <translation>Höchstens 30 Schritte, jeder mit etwa so vielen Messungen, wie die Tabelle Merkmale hat.</translation>
    </message>
    <message>
      <source>At most {count}</source>
      <translation>Höchstens {count}</translation>
    </message>
    <message>
      <source>At most {measurements}</source>
      <translation>Höchstens {measurements}</translation>
    </message>
    <message>
      <source>At once</source>
      <translation>Zugleich</translation>
    </message>
    <message>
      <source>At the end the best subset of each size is measured this many times again, on folds that are new and the same for all; these draw the error against the size and choose the answer.</source>
      <translation>Am Ende wird die beste Teilmenge jeder Größe so oft noch einmal gemessen, auf neuen, für alle gleichen Folds; das zeichnet den Fehler gegen die Größe und wählt die Antwort.</translation>
    </message>
    <message>
      <source>At the end the best subset of each size is measured this many times again, on folds that are new and the same for all; these draw the error against the size and choose the answer. 0 keeps the best on the folds searched.</source>
      <translation>Am Ende wird die beste Teilmenge jeder Größe so oft noch einmal gemessen, auf neuen, für alle gleichen Folds; das zeichnet den Fehler gegen die Größe und wählt die Antwort. 0 behält die beste auf den durchsuchten Folds.</translation>
    </message>
    <message>
      <source>At work now: {runs} runs. One worker is always left for tables and estimates.</source>
      <translation>Läufe in Arbeit: {runs}. Ein Prozess bleibt immer für Tabellen und Schätzungen frei.</translation>
    </message>
    <message>
      <source>Automatic</source>
      <translation>Automatisch</translation>
    </message>
    <message>
      <source>Automatic (recommended)</source>
      <translation>Automatisch (empfohlen)</translation>
    </message>
    <message>
      <source>Axis, moving average, and saving the picture or its values</source>
      <translation>Achse, gleitender Mittelwert und Speichern des Bildes oder seiner Werte</translation>
    </message>
    <message>
      <source>BSPSA</source>
      <translation>BSPSA</translation>
    </message>
    <message>
      <source>BSPSA that sets its own step size, compares subsets on the same folds, measures its finalists again, and narrows a wide table down in rounds, which shows the error for every number of features.</source>
      <translation>BSPSA, das seine Schrittweite selbst einstellt, Teilmengen auf denselben Folds vergleicht, seine Finalisten noch einmal misst und eine breite Tabelle in Runden verkleinert; das zeigt den Fehler für jede Anzahl von Merkmalen.</translation>
    </message>
    <message>
      <source>BSPSA whose weights are the chances of small subsets, judged at every step on rows that they were not trained on; how many features to take is told by rows held out from the search.</source>
      <translation>BSPSA, deren Gewichte die Chancen kleiner Teilmengen sind; in jedem Schritt werden sie auf Zeilen beurteilt, auf denen sie nicht trainiert wurden. Wie viele Merkmale genommen werden, sagen Zeilen, die der Suche vorenthalten wurden.</translation>
    </message>
    <message>
      <source>BSPSA-H</source>
      <translation>BSPSA-H</translation>
    </message>
    <message>
      <source>BSPSA-R</source>
      <translation>BSPSA-R</translation>
    </message>
    <message>
      <source>BSPSA-R alone</source>
      <translation>Nur BSPSA-R</translation>
    </message>
    <message>
      <source>Back</source>
      <translation>Zurück</translation>
    </message>
    <message>
      <source>Back from your last session with this table: {what}.</source>
      <translation>Wieder da aus Ihrer letzten Sitzung mit dieser Tabelle: {what}.</translation>
    </message>
    <message>
      <source>Back to the answer</source>
      <translation>Zurück zur Antwort</translation>
    </message>
    <message>
      <source>Balance of finding the rows of a class and being right about them; for more than two classes, their mean.</source>
      <translation>Ausgleich zwischen dem Finden der Zeilen einer Klasse und dem Rechthaben darüber; bei mehr als zwei Klassen ihr Mittel.</translation>
    </message>
    <message>
      <source>Balanced error</source>
      <translation>Ausgewogener Fehler</translation>
    </message>
    <message>
      <source>Begin as the method does, not with that subset</source>
      <translation>Beginnen, wie es das Verfahren tut, nicht mit dieser Teilmenge</translation>
    </message>
    <message>
      <source>Begin with a table</source>
      <translation>Beginnen Sie mit einer Tabelle</translation>
    </message>
    <message numerus="yes">
      <source>Begins with the {count} features of {source}.</source>
      <translation>
        <numerusform>Beginnt mit dem {count} Merkmal: {source}.</numerusform>
        <numerusform>Beginnt mit den {count} Merkmalen: {source}.</numerusform>
      </translation>
    </message>
    <message>
      <source>Best</source>
      <translation>Beste</translation>
    </message>
    <message>
      <source>Best ants</source>
      <translation>Beste Ameisen</translation>
    </message>
    <message>
      <source>Better by</source>
      <translation>Besser um</translation>
    </message>
    <message>
      <source>Between the rows of a list and the choices of a box</source>
      <translation>Zwischen Listenzeilen und Auswahlwerten</translation>
    </message>
    <message>
      <source>Black</source>
      <translation>Schwarz</translation>
    </message>
    <message>
      <source>Blue</source>
      <translation>Blau</translation>
    </message>
    <message>
      <source>Both answers to a question must have this many rows; larger values give smaller trees.</source>
      <translation>Beide Antworten auf eine Frage müssen so viele Zeilen haben; größere Werte geben kleinere Bäume.</translation>
    </message>
    <message>
      <source>Bounds the certainty of a choice: at 6 a feature is still switched once in 400 times, at 3 once in 20.</source>
      <translation>Begrenzt die Gewissheit einer Wahl: Bei 6 wird ein Merkmal noch einmal in 400 Malen umgeschaltet, bei 3 einmal in 20.</translation>
    </message>
    <message>
      <source>Breast cancer</source>
      <translation>Brustkrebs</translation>
    </message>
    <message>
      <source>Breeds a population of subsets: the better ones are crossed and changed a little at random. The paper's crossover (XOR) hardly inherits what made the parents good; the recommended presets mix them instead.</source>
      <translation>Züchtet eine Population von Teilmengen: Die besseren werden gekreuzt und etwas zufällig verändert. Die Kreuzung des Artikels (XOR) vererbt kaum, was die Eltern gut machte; die empfohlenen Vorgaben mischen sie stattdessen.</translation>
    </message>
    <message>
      <source>Brings all features to the same spread. Inside each training fold is honest; once over all rows is faster but lets the model see a little of the rows that it is tested on.</source>
      <translation>Bringt alle Merkmale auf dieselbe Streuung. In jedem Trainings-Fold ist ehrlich; einmal über alle Zeilen ist schneller, lässt das Modell aber etwas von den Testzeilen sehen.</translation>
    </message>
    <message>
      <source>Browse …</source>
      <translation>Durchsuchen …</translation>
    </message>
    <message>
      <source>By first selection</source>
      <translation>Nach erster Auswahl</translation>
    </message>
    <message>
      <source>By how much the answer is better than all features on the same unseen rows, with its 95 % interval.</source>
      <translation>Um wie viel die Antwort auf denselben ungesehenen Zeilen besser ist als alle Merkmale, mit dem 95-%-Intervall.</translation>
    </message>
    <message>
      <source>By name</source>
      <translation>Nach Name</translation>
    </message>
    <message>
      <source>By size</source>
      <translation>Nach Größe</translation>
    </message>
    <message>
      <source>By step</source>
      <translation>Nach Schritt</translation>
    </message>
    <message>
      <source>By weight</source>
      <translation>Nach Gewicht</translation>
    </message>
    <message>
      <source>C4.5 knows no class weights</source>
      <translation>C4.5 kennt keine Klassengewichte</translation>
    </message>
    <message>
      <source>C4.5's and J48's default</source>
      <translation>Standard von C4.5 und J48</translation>
    </message>
    <message>
      <source>CSPSA</source>
      <translation>CSPSA</translation>
    </message>
    <message>
      <source>CSV</source>
      <translation>CSV</translation>
    </message>
    <message>
      <source>CSV, TSV, Excel, ARFF, MATLAB, R, Parquet, HDF5, LIBSVM, GCT, a GEO series matrix, zipped or not, or an fsdesk project</source>
      <translation>CSV, TSV, Excel, ARFF, MATLAB, R, Parquet, HDF5, LIBSVM, GCT, eine GEO-Series-Matrix, gepackt oder nicht, oder ein fsdesk-Projekt</translation>
    </message>
    <message>
      <source>Calibrated step</source>
      <translation>Geeichter Schritt</translation>
    </message>
    <message>
      <source>Cancel</source>
      <translation>Abbrechen</translation>
    </message>
    <message>
      <source>Cell nuclei of benign and malignant tumours, measured in images (UCI).</source>
      <translation>Zellkerne gut- und bösartiger Tumoren, in Bildern vermessen (UCI).</translation>
    </message>
    <message>
      <source>Changes a subset at random, keeps every change for the better, and some for the worse while it is hot.</source>
      <translation>Ändert eine Teilmenge zufällig, behält jede Verbesserung und, solange es heiß ist, auch manche Verschlechterung.</translation>
    </message>
    <message>
      <source>Changes hold from the next measurements on. They are written into the log of the run, so that it can be repeated exactly, and every report tells of them.</source>
      <translation>Änderungen gelten ab den nächsten Messungen. Sie werden in das Protokoll des Laufs geschrieben, damit er genau wiederholt werden kann, und jeder Bericht nennt sie.</translation>
    </message>
    <message>
      <source>Check for a &amp;newer version</source>
      <translation>Nach einer &amp;neueren Version sehen</translation>
    </message>
    <message>
      <source>Checks</source>
      <translation>Prüfungen</translation>
    </message>
    <message>
      <source>Chemical analysis of wines of three growers of one region (UCI).</source>
      <translation>Chemische Analyse von Weinen dreier Winzer einer Region (UCI).</translation>
    </message>
    <message>
      <source>Choose the columns of this list</source>
      <translation>Spalten dieser Liste wählen</translation>
    </message>
    <message>
      <source>Choose the file with the labels</source>
      <translation>Datei mit den Klassen wählen</translation>
    </message>
    <message>
      <source>Class</source>
      <translation>Klasse</translation>
    </message>
    <message>
      <source>Class that F1 looks for</source>
      <translation>Klasse, die F1 sucht</translation>
    </message>
    <message>
      <source>Class that is to be found</source>
      <translation>Klasse, die gefunden werden soll</translation>
    </message>
    <message>
      <source>Class weights</source>
      <translation>Klassengewichte</translation>
    </message>
    <message>
      <source>Classes</source>
      <translation>Klassen</translation>
    </message>
    <message>
      <source>Classes or numbers, as it looks</source>
      <translation>Automatisch erkannt</translation>
    </message>
    <message>
      <source>Click a feature in a heatmap or in the list: it is looked at here.</source>
      <translation>Klicken Sie in einer Heatmap oder in der Liste auf ein Merkmal: Hier wird es betrachtet.</translation>
    </message>
    <message>
      <source>Click a row to look at it. Wheel: scroll; with Shift: zoom across; with Ctrl: zoom the rows. Drag to move, double click to see all again. Keys: arrows, Page Up and Down, Home, End, + and −.</source>
      <translation>Klicken Sie auf eine Zeile, um sie zu betrachten. Rad: blättern; mit Umschalt: in der Breite vergrößern; mit Strg: die Zeilen vergrößern. Ziehen verschiebt, Doppelklick zeigt wieder alles. Tasten: Pfeile, Bild auf und ab, Pos1, Ende, + und −.</translation>
    </message>
    <message>
      <source>Click, or press Enter, to look at one of them.</source>
      <translation>Klicken Sie, oder drücken Sie Eingabe, um eines davon zu betrachten.</translation>
    </message>
    <message>
      <source>Close</source>
      <translation>Schließen</translation>
    </message>
    <message>
      <source>Close fsdesk</source>
      <translation>fsdesk schließen</translation>
    </message>
    <message>
      <source>Clustering the selected features …</source>
      <translation>Gewählte Merkmale werden gruppiert …</translation>
    </message>
    <message>
      <source>Code the categories</source>
      <translation>Kategorien kodieren</translation>
    </message>
    <message>
      <source>Colour</source>
      <translation>Farbe</translation>
    </message>
    <message>
      <source>Colours are spread evenly around 0.5: from there on a feature is in.</source>
      <translation>Die Farben sind gleichmäßig um 0,5 verteilt: Von da an ist ein Merkmal drin.</translation>
    </message>
    <message>
      <source>Column</source>
      <translation>Spalte</translation>
    </message>
    <message>
      <source>Column "{columns}" is the target; give another column the other role.</source>
      <translation>Spalte „{columns}“ ist die Zielgröße; geben Sie die andere Rolle einer anderen Spalte.</translation>
    </message>
    <message>
      <source>Column "{columns}", {words}, misses a value in {missing}: fill them in, or choose another column.</source>
      <translation>In Spalte „{columns}“, {words}, fehlt ein Wert in {missing}: Tragen Sie sie nach, oder wählen Sie eine andere Spalte.</translation>
    </message>
    <message>
      <source>Column "{copied}" has the same values as "{kept}", which comes before it.</source>
      <translation>Spalte „{copied}“ hat dieselben Werte wie „{kept}“, die vor ihr kommt.</translation>
    </message>
    <message>
      <source>Column of "{file}"</source>
      <translation>Spalte von „{file}“</translation>
    </message>
    <message>
      <source>Column that names the features</source>
      <translation>Spalte mit den Namen der Merkmale</translation>
    </message>
    <message>
      <source>Column {name}, {caption}</source>
      <translation>Spalte {name}, {caption}</translation>
    </message>
    <message>
      <source>Columns</source>
      <translation>Spalten</translation>
    </message>
    <message>
      <source>Columns (features are rows)</source>
      <translation>Spalten (Merkmale in Zeilen)</translation>
    </message>
    <message>
      <source>Columns and checks, {notes}</source>
      <translation>Spalten und Prüfungen, {notes}</translation>
    </message>
    <message>
      <source>Columns of text are no features any more.</source>
      <translation>Textspalten sind keine Merkmale mehr.</translation>
    </message>
    <message>
      <source>Columns that miss a value take no part.</source>
      <translation>Spalten, denen ein Wert fehlt, nehmen nicht teil.</translation>
    </message>
    <message>
      <source>Columns: tick those that take part</source>
      <translation>Spalten: Haken Sie an, welche teilnehmen</translation>
    </message>
    <message>
      <source>Comma (1,5)</source>
      <translation>Komma (1,5)</translation>
    </message>
    <message>
      <source>Comma ,</source>
      <translation>Komma ,</translation>
    </message>
    <message>
      <source>Commands and their keys</source>
      <translation>Befehle und ihre Tasten</translation>
    </message>
    <message>
      <source>Common</source>
      <translation>Übliche</translation>
    </message>
    <message>
      <source>Compare</source>
      <translation>Vergleich</translation>
    </message>
    <message>
      <source>Compares near neighbours, so that it can find features that help only together.</source>
      <translation>Vergleicht nahe Nachbarn und kann so Merkmale finden, die nur gemeinsam helfen.</translation>
    </message>
    <message>
      <source>Comparison</source>
      <translation>Vergleich</translation>
    </message>
    <message>
      <source>Confirmations</source>
      <translation>Bestätigungen</translation>
    </message>
    <message>
      <source>Confusion</source>
      <translation>Konfusion</translation>
    </message>
    <message>
      <source>Confusion matrix</source>
      <translation>Konfusionsmatrix</translation>
    </message>
    <message>
      <source>Confusion matrix of all features</source>
      <translation>Konfusionsmatrix aller Merkmale</translation>
    </message>
    <message>
      <source>Confusion matrix of the subset</source>
      <translation>Konfusionsmatrix der Teilmenge</translation>
    </message>
    <message>
      <source>Constraint</source>
      <translation>Bedingung</translation>
    </message>
    <message>
      <source>Constraints on features</source>
      <translation>Bedingungen für Merkmale</translation>
    </message>
    <message>
      <source>Constraints …</source>
      <translation>Bedingungen …</translation>
    </message>
    <message>
      <source>Copied: {command}</source>
      <translation>Kopiert: {command}</translation>
    </message>
    <message>
      <source>Copy</source>
      <translation>Kopieren</translation>
    </message>
    <message>
      <source>Copy all</source>
      <translation>Alles kopieren</translation>
    </message>
    <message>
      <source>Copy all versions for a report of a problem</source>
      <translation>Kopiert alle Versionen, um ein Problem zu melden</translation>
    </message>
    <message>
      <source>Copy as co&amp;mmand</source>
      <translation>Als &amp;Befehl kopieren</translation>
    </message>
    <message>
      <source>Copy as picture</source>
      <translation>Als Bild kopieren</translation>
    </message>
    <message>
      <source>Copy names</source>
      <translation>Namen kopieren</translation>
    </message>
    <message>
      <source>Copy rows</source>
      <translation>Zeilen kopieren</translation>
    </message>
    <message>
      <source>Copy the chosen rows, or all, for a spreadsheet (Ctrl+C in the table)</source>
      <translation>Die gewählten Zeilen, oder alle, für eine Tabellenkalkulation kopieren (Strg+C in der Tabelle)</translation>
    </message>
    <message>
      <source>Copy the command that does the same</source>
      <translation>Den Befehl kopieren, der dasselbe tut</translation>
    </message>
    <message>
      <source>Copy the names of the selected features</source>
      <translation>Die Namen der gewählten Merkmale kopieren</translation>
    </message>
    <message>
      <source>Copy the names, one a line (Ctrl+Shift+C)</source>
      <translation>Die Namen kopieren, einen je Zeile (Strg+Umschalt+C)</translation>
    </message>
    <message>
      <source>Copy the table of features</source>
      <translation>Die Tabelle der Merkmale kopieren</translation>
    </message>
    <message>
      <source>Correct the cells in the file to use them as numbers.</source>
      <translation>Berichtigen Sie die Zellen in der Datei, um sie als Zahlen zu verwenden.</translation>
    </message>
    <message>
      <source>Cosine</source>
      <translation>Kosinus</translation>
    </message>
    <message>
      <source>Cost C</source>
      <translation>Kosten C</translation>
    </message>
    <message>
      <source>Costs of mistakes</source>
      <translation>Kosten der Fehler</translation>
    </message>
    <message>
      <source>Criterion</source>
      <translation>Kriterium</translation>
    </message>
    <message>
      <source>Criterion against number of features</source>
      <translation>Kriterium gegen Anzahl der Merkmale</translation>
    </message>
    <message>
      <source>Cross-validation</source>
      <translation>Kreuzvalidierung</translation>
    </message>
    <message>
      <source>Crossover</source>
      <translation>Kreuzung</translation>
    </message>
    <message>
      <source>Crossover probability</source>
      <translation>Kreuzungswahrscheinlichkeit</translation>
    </message>
    <message>
      <source>Curve of {run}</source>
      <translation>Kurve von {run}</translation>
    </message>
    <message>
      <source>Curves of runs to show together</source>
      <translation>Kurven der Läufe, die zusammen gezeigt werden</translation>
    </message>
    <message>
      <source>Data</source>
      <translation>Daten</translation>
    </message>
    <message>
      <source>Data set</source>
      <translation>Datensatz</translation>
    </message>
    <message>
      <source>Data shows the table and what is unusual about it. Search shows a run at work. Result shows what was found, Compare sets runs side by side.</source>
      <translation>Daten zeigt die Tabelle und was an ihr ungewöhnlich ist. Suche zeigt einen Lauf bei der Arbeit. Ergebnis zeigt, was gefunden wurde, Vergleich stellt Läufe nebeneinander.</translation>
    </message>
    <message>
      <source>Deals the rows so that every fold has its share of each class.</source>
      <translation>Verteilt die Zeilen so, dass jeder Fold seinen Anteil jeder Klasse hat.</translation>
    </message>
    <message>
      <source>Decay alpha</source>
      <translation>Abnahme alpha</translation>
    </message>
    <message>
      <source>Decay gamma</source>
      <translation>Abnahme gamma</translation>
    </message>
    <message>
      <source>Decimal sign</source>
      <translation>Dezimalzeichen</translation>
    </message>
    <message>
      <source>Decision tree (C4.5)</source>
      <translation>Entscheidungsbaum C4.5</translation>
    </message>
    <message>
      <source>Decision tree (CART)</source>
      <translation>Entscheidungsbaum CART</translation>
    </message>
    <message>
      <source>Default: {value}</source>
      <translation>Standard: {value}</translation>
    </message>
    <message>
      <source>Defaults</source>
      <translation>Standardwerte</translation>
    </message>
    <message>
      <source>Delete</source>
      <translation>Löschen</translation>
    </message>
    <message numerus="yes">
      <source>Delete {count} runs</source>
      <translation>
        <numerusform>{count} Lauf löschen</numerusform>
        <numerusform>{count} Läufe löschen</numerusform>
      </translation>
    </message>
    <message>
      <source>Describe features</source>
      <translation>Merkmale beschreiben</translation>
    </message>
    <message>
      <source>Describe …</source>
      <translation>Beschreiben …</translation>
    </message>
    <message>
      <source>Described by "{file}": {found} of {total} of these features were found by its column "{column}".</source>
      <translation>Beschrieben durch „{file}“: {found} von {total} dieser Merkmale wurden über die Spalte „{column}“ gefunden.</translation>
    </message>
    <message>
      <source>Descriptions from "{file}"</source>
      <translation>Beschreibungen aus „{file}“</translation>
    </message>
    <message>
      <source>Digits</source>
      <translation>Ziffern</translation>
    </message>
    <message>
      <source>Direction, effect, stability, and what it can be exchanged with</source>
      <translation>Richtung, Wirkung, Stabilität, und womit es austauschbar ist</translation>
    </message>
    <message>
      <source>Dismiss</source>
      <translation>Ausblenden</translation>
    </message>
    <message>
      <source>Dismiss &amp;messages</source>
      <translation>&amp;Meldungen schließen</translation>
    </message>
    <message>
      <source>Dismiss (Esc)</source>
      <translation>Schließen (Esc)</translation>
    </message>
    <message>
      <source>Dismiss this message</source>
      <translation>Diese Meldung schließen</translation>
    </message>
    <message>
      <source>Distance</source>
      <translation>Abstand</translation>
    </message>
    <message>
      <source>Distance between quartiles</source>
      <translation>Quartilsabstand</translation>
    </message>
    <message>
      <source>Do again what was undone</source>
      <translation>Noch einmal tun, was rückgängig gemacht wurde</translation>
    </message>
    <message>
      <source>Do not ask again for projects without a name</source>
      <translation>Bei Projekten ohne Namen nicht mehr fragen</translation>
    </message>
    <message>
      <source>Done</source>
      <translation>Fertig</translation>
    </message>
    <message>
      <source>Dot: error on rows that no search saw; line: its 95 % interval; diamond: all features on the same rows; small dots: each outer fold.</source>
      <translation>Punkt: Fehler auf Zeilen, die keine Suche sah; Linie: sein 95-%-Intervall; Raute: alle Merkmale auf denselben Zeilen; kleine Punkte: jeder äußere Fold.</translation>
    </message>
    <message>
      <source>Double-click or press Enter to look at a subset</source>
      <translation>Doppelklick oder Eingabe betrachtet eine Teilmenge</translation>
    </message>
    <message>
      <source>Down to the very size by the F statistic, each measured ten times again.</source>
      <translation>Bis auf die genaue Größe nach der F-Statistik, jede noch zehnmal gemessen.</translation>
    </message>
    <message>
      <source>Downloading from OpenML: {done} MB</source>
      <translation>Von OpenML heruntergeladen: {done} MB</translation>
    </message>
    <message>
      <source>Drag to move, wheel to zoom, double click to see all again. With the keyboard: arrow keys read the values, + and − zoom, 0 shows all, [ and ] change the moving average.</source>
      <translation>Ziehen verschiebt, das Rad vergrößert, Doppelklick zeigt wieder alles. Mit der Tastatur: Pfeiltasten lesen die Werte ab, + und − vergrößern, 0 zeigt alles, [ und ] ändern den gleitenden Mittelwert.</translation>
    </message>
    <message>
      <source>Draw the subsets at random by their weights, in opposite pairs</source>
      <translation>Die Teilmengen zufällig nach ihren Gewichten ziehen, in entgegengesetzten Paaren</translation>
    </message>
    <message>
      <source>Drawing (*.svg)</source>
      <translation>Zeichnung (*.svg)</translation>
    </message>
    <message>
      <source>Drawing to edit (SVG) …</source>
      <translation>Zeichnung zum Bearbeiten (SVG) …</translation>
    </message>
    <message>
      <source>Drawn by</source>
      <translation>Gezogen durch</translation>
    </message>
    <message>
      <source>Draws subsets at random and keeps the best: what luck alone finds with the same number of measurements.</source>
      <translation>Zieht Teilmengen zufällig und behält die beste: was Glück allein mit ebenso vielen Messungen findet.</translation>
    </message>
    <message>
      <source>Draws the outer folds: with one number, runs of other seeds are judged on the same folds.</source>
      <translation>Zieht die äußeren Folds: Mit einer Zahl werden Läufe mit anderem Startwert auf denselben Folds beurteilt.</translation>
    </message>
    <message>
      <source>Drop a file here</source>
      <translation>Ziehen Sie eine Datei hierher</translation>
    </message>
    <message>
      <source>Drop a file here or open one: a row for each sample, a column for each thing measured, and one column to predict.</source>
      <translation>Ziehen Sie eine Datei hierher oder öffnen Sie eine: eine Zeile für jede Probe, eine Spalte für jede gemessene Größe und eine Spalte, die vorhergesagt werden soll.</translation>
    </message>
    <message>
      <source>Drop one file at a time: of {count} files none was opened.</source>
      <translation>Ziehen Sie eine Datei auf einmal herüber: Von {count} Dateien wurde keine geöffnet.</translation>
    </message>
    <message>
      <source>Drop the file to open it</source>
      <translation>Datei loslassen, um sie zu öffnen</translation>
    </message>
    <message>
      <source>Each gap is filled inside every training fold.</source>
      <translation>Jede Lücke wird in jedem Trainings-Fold für sich aufgefüllt.</translation>
    </message>
    <message>
      <source>Each marked method runs with each marked model and each seed. The method and the model of the settings panel take its settings, all others the usual ones; measuring and constraints are the same for all.</source>
      <translation>Jedes markierte Verfahren läuft mit jedem markierten Modell und jedem Startwert. Verfahren und Modell des Einstellungsbereichs nehmen dessen Einstellungen, alle anderen die üblichen; Messen und Bedingungen sind für alle gleich.</translation>
    </message>
    <message>
      <source>Each point is {how}.</source>
      <translation>Jeder Punkt ist {how}.</translation>
    </message>
    <message>
      <source>Each run</source>
      <translation>Jeder Lauf</translation>
    </message>
    <message>
      <source>Each strategy saw the searching rows of a resample alone, and the rows held out judged it; it stands at its best size, the winner at the size that was taken. The best of several is a little too good: the error at the top is that of rows which did not choose the strategy either.</source>
      <translation>Jede Strategie sah nur die Suchzeilen einer Stichprobe, und die zurückgehaltenen Zeilen beurteilten sie; sie steht bei ihrer besten Größe, der Gewinner bei der Größe, die genommen wurde. Das Beste von mehreren ist ein wenig zu gut: Der Fehler oben ist der von Zeilen, die auch die Strategie nicht ausgewählt haben.</translation>
    </message>
    <message>
      <source>Eliminates features step by step by their weights in a linear model; how many to keep is told by rows held out.</source>
      <translation>Entfernt Merkmale Schritt für Schritt nach ihren Gewichten in einem linearen Modell; wie viele bleiben, sagen zurückgehaltene Zeilen.</translation>
    </message>
    <message>
      <source>Elite count</source>
      <translation>Größe der Elite</translation>
    </message>
    <message>
      <source>Encoding</source>
      <translation>Kodierung</translation>
    </message>
    <message>
      <source>End by turning single features over, one after the other, on fixed folds</source>
      <translation>Zum Schluss einzelne Merkmale umschalten, eines nach dem anderen, auf festen Folds</translation>
    </message>
    <message>
      <source>Ends after {limit}, your limit, with about {reached}; all would take about {whole}</source>
      <translation>Endet nach {limit}, Ihrer Grenze, mit etwa {reached}; alle würden etwa {whole} dauern</translation>
    </message>
    <message>
      <source>Ends at the first step without gain; the paper uses these methods on tables with fewer than 100 features.</source>
      <translation>Endet beim ersten Schritt ohne Gewinn; der Artikel verwendet diese Verfahren bei Tabellen mit weniger als 100 Merkmalen.</translation>
    </message>
    <message>
      <source>Enter, Shift+Enter</source>
      <translation>Eingabe, Umschalt+Eingabe</translation>
    </message>
    <message>
      <source>Entropy</source>
      <translation>Entropie</translation>
    </message>
    <message>
      <source>Equal classes in all folds</source>
      <translation>Klassen gleich verteilt</translation>
    </message>
    <message>
      <source>Equally good</source>
      <translation>Gleich gute</translation>
    </message>
    <message>
      <source>Equally good subsets; Enter looks at one</source>
      <translation>Gleich gute Teilmengen; Eingabe betrachtet eine</translation>
    </message>
    <message>
      <source>Error</source>
      <translation>Fehler</translation>
    </message>
    <message>
      <source>Error (RMSE for numbers)</source>
      <translation>Fehler (bei Zahlen RMSE)</translation>
    </message>
    <message>
      <source>Error against iteration</source>
      <translation>Fehler gegen Iteration</translation>
    </message>
    <message>
      <source>Error by size</source>
      <translation>Fehler nach Größe</translation>
    </message>
    <message>
      <source>Error curve</source>
      <translation>Fehlerkurve</translation>
    </message>
    <message>
      <source>Error, %</source>
      <translation>Fehler, %</translation>
    </message>
    <message>
      <source>Errors of the chosen runs on rows that no search saw</source>
      <translation>Fehler der gewählten Läufe auf Zeilen, die keine Suche sah</translation>
    </message>
    <message>
      <source>Errors on rows that no search saw are drawn here when a run has measured them.</source>
      <translation>Hier erscheinen Fehler auf Zeilen, die keine Suche sah, sobald ein Lauf sie gemessen hat.</translation>
    </message>
    <message>
      <source>Errors up to this size, in the target's own unit, cost nothing when numbers are predicted.</source>
      <translation>Fehler bis zu dieser Größe, in der Einheit der Zielgröße, kosten nichts, wenn Zahlen vorhergesagt werden.</translation>
    </message>
    <message>
      <source>Estimate of the memory</source>
      <translation>Schätzung des Speichers</translation>
    </message>
    <message>
      <source>Estimate of the time</source>
      <translation>Schätzung der Zeit</translation>
    </message>
    <message>
      <source>Euclidean</source>
      <translation>Euklidisch</translation>
    </message>
    <message>
      <source>Every class alike</source>
      <translation>Jede Klasse gleich</translation>
    </message>
    <message>
      <source>Every feature gets a shadow, the same values with their rows shuffled. Only features that are more important than all shadows in more than half of ten forests are taken, the best one where there is none.</source>
      <translation>Jedes Merkmal erhält einen Schatten, dieselben Werte mit gemischten Zeilen. Genommen werden nur Merkmale, die in mehr als der Hälfte von zehn Wäldern wichtiger sind als alle Schatten; gibt es keines, das beste.</translation>
    </message>
    <message>
      <source>Every feature: selected or not; weight and frequency in CSV and JSON</source>
      <translation>Jedes Merkmal: gewählt oder nicht; Gewicht und Häufigkeit in CSV und JSON</translation>
    </message>
    <message>
      <source>Every row alike</source>
      <translation>Jede Zeile gleich</translation>
    </message>
    <message>
      <source>Every row of "{name}" misses a value, so dropping rows leaves none; fill in the missing values or drop columns instead.</source>
      <translation>In jeder Zeile von „{name}“ fehlt ein Wert; ließe man Zeilen weg, bliebe keine. Füllen Sie fehlende Werte auf, oder lassen Sie Spalten weg.</translation>
    </message>
    <message>
      <source>Every run of this project will be kept here.</source>
      <translation>Jeder Lauf dieses Projekts wird hier aufbewahrt.</translation>
    </message>
    <message>
      <source>Every step is kept in {path}</source>
      <translation>Jeder Schritt bleibt erhalten in {path}</translation>
    </message>
    <message>
      <source>Every subset of at most 2 features, for tables with up to 1,447 of them.</source>
      <translation>Jede Teilmenge von höchstens 2 Merkmalen, für Tabellen mit bis zu 1.447 davon.</translation>
    </message>
    <message>
      <source>Every subset of at most 20 features: 1,023 measurements with 10, over a million with 20.</source>
      <translation>Jede Teilmenge von höchstens 20 Merkmalen: 1.023 Messungen mit 10, über eine Million mit 20.</translation>
    </message>
    <message>
      <source>Every subset of at most 3 features, for tables with up to 184 of them.</source>
      <translation>Jede Teilmenge von höchstens 3 Merkmalen, für Tabellen mit bis zu 184 davon.</translation>
    </message>
    <message>
      <source>Every subset of at most 4 features, for tables with up to 71 of them.</source>
      <translation>Jede Teilmenge von höchstens 4 Merkmalen, für Tabellen mit bis zu 71 davon.</translation>
    </message>
    <message>
      <source>Every subset that was measured again, with one standard error up and down. Click on one, or go there with the arrow keys and press Return, to take it instead of the answer.</source>
      <translation>Jede noch einmal gemessene Teilmenge, mit einem Standardfehler nach oben und unten. Klicken Sie auf eine, oder gehen Sie mit den Pfeiltasten hin und drücken Sie Eingabe, um sie anstelle der Antwort zu nehmen.</translation>
    </message>
    <message>
      <source>Everything can be done by keyboard</source>
      <translation>Alles lässt sich mit der Tastatur bedienen</translation>
    </message>
    <message>
      <source>Everything measured is written again, and the runs go on.</source>
      <translation>Alles Gemessene wird wieder geschrieben, und die Läufe gehen weiter.</translation>
    </message>
    <message>
      <source>Everywhere</source>
      <translation>Überall</translation>
    </message>
    <message>
      <source>Evidence</source>
      <translation>Belege</translation>
    </message>
    <message>
      <source>Excel</source>
      <translation>Excel</translation>
    </message>
    <message>
      <source>Exhaustive</source>
      <translation>Vollständige Suche</translation>
    </message>
    <message>
      <source>Exhaustive search measures at most {most_subsets} subsets and {features} features have more: keep {most_features} features with a pre-filter, set max_size lower, or choose another method.</source>
      <translation>Die vollständige Suche misst höchstens {most_subsets} Teilmengen, und {features} Merkmale haben mehr: Behalten Sie mit einem Vorfilter {most_features} Merkmale, begrenzen Sie die Größe, oder wählen Sie ein anderes Verfahren.</translation>
    </message>
    <message>
      <source>Explain what has the focus, or this page</source>
      <translation>Erklärt, was den Fokus hat, oder diese Seite</translation>
    </message>
    <message>
      <source>Export</source>
      <translation>Exportieren</translation>
    </message>
    <message>
      <source>Export results</source>
      <translation>Ergebnisse exportieren</translation>
    </message>
    <message>
      <source>Export …</source>
      <translation>Exportieren …</translation>
    </message>
    <message>
      <source>F statistic</source>
      <translation>F-Statistik</translation>
    </message>
    <message>
      <source>F statistic of the feature by itself, from all rows: larger is better; it sees no more than shifted means</source>
      <translation>F-Statistik des Merkmals für sich, aus allen Zeilen: größer ist besser; sie sieht nur verschobene Mittelwerte</translation>
    </message>
    <message>
      <source>F&amp;ull screen</source>
      <translation>Voll&amp;bild</translation>
    </message>
    <message>
      <source>F1</source>
      <translation>F1</translation>
    </message>
    <message>
      <source>F1 explains what you are at, Ctrl+/ lists all keys, and this tour is in the Help menu.</source>
      <translation>F1 erklärt, wobei Sie gerade sind, Strg+/ listet alle Tasten auf, und dieser Rundgang ist im Menü Hilfe.</translation>
    </message>
    <message>
      <source>FDSA</source>
      <translation>FDSA</translation>
    </message>
    <message>
      <source>False discovery rate, at most</source>
      <translation>Falscherkennungsrate, höchstens</translation>
    </message>
    <message>
      <source>Feature</source>
      <translation>Merkmal</translation>
    </message>
    <message>
      <source>Feature "{features}" is both always in and never in: choose one.</source>
      <translation>Merkmal „{features}“ ist zugleich immer und nie dabei: Wählen Sie eines.</translation>
    </message>
    <message>
      <source>Feature by iteration; needs a method that weighs features</source>
      <translation>Merkmal gegen Iteration; braucht ein Verfahren, das Merkmale gewichtet</translation>
    </message>
    <message>
      <source>Feature selection on {data}</source>
      <translation>Merkmalsauswahl für {data}</translation>
    </message>
    <message>
      <source>Features</source>
      <translation>Merkmale</translation>
    </message>
    <message>
      <source>Features against iterations</source>
      <translation>Merkmale gegen Iterationen</translation>
    </message>
    <message>
      <source>Features against runs</source>
      <translation>Merkmale gegen Läufe</translation>
    </message>
    <message>
      <source>Features and what you want of them</source>
      <translation>Merkmale und was Sie von ihnen wünschen</translation>
    </message>
    <message>
      <source>Features by run</source>
      <translation>Merkmale nach Lauf</translation>
    </message>
    <message>
      <source>Features from now on</source>
      <translation>Merkmale ab jetzt</translation>
    </message>
    <message>
      <source>Features kept by the filter</source>
      <translation>Vom Filter behaltene Merkmale</translation>
    </message>
    <message>
      <source>Features of the subset</source>
      <translation>Merkmale der Teilmenge</translation>
    </message>
    <message>
      <source>Features of the subset that is shown</source>
      <translation>Merkmale der gezeigten Teilmenge</translation>
    </message>
    <message>
      <source>Features selected</source>
      <translation>Ausgewählte Merkmale</translation>
    </message>
    <message>
      <source>Features that are always in, never in, or together</source>
      <translation>Merkmale, die immer drin, nie drin oder zusammen sind</translation>
    </message>
    <message>
      <source>Features that were steered</source>
      <translation>Merkmale, die gesteuert wurden</translation>
    </message>
    <message>
      <source>Features to begin with</source>
      <translation>Merkmale für den Beginn</translation>
    </message>
    <message>
      <source>Features wanted</source>
      <translation>Gewünschte Merkmale</translation>
    </message>
    <message>
      <source>Features with your constraints</source>
      <translation>Merkmale mit Ihren Bedingungen</translation>
    </message>
    <message>
      <source>Features, at least</source>
      <translation>Merkmale, mindestens</translation>
    </message>
    <message>
      <source>Features, at most</source>
      <translation>Merkmale, höchstens</translation>
    </message>
    <message>
      <source>Feels the slope of every feature by itself, with two measurements for each; for tables with few features, to see what the simultaneous methods save.</source>
      <translation>Ertastet die Steigung jedes Merkmals einzeln mit je zwei Messungen; für Tabellen mit wenigen Merkmalen, um zu sehen, was die simultanen Verfahren sparen.</translation>
    </message>
    <message>
      <source>Fewer settings</source>
      <translation>Weniger Einstellungen</translation>
    </message>
    <message>
      <source>Fewest features</source>
      <translation>Wenigste Merkmale</translation>
    </message>
    <message>
      <source>Fewest rows in a branch</source>
      <translation>Wenigste Zeilen in einem Zweig</translation>
    </message>
    <message>
      <source>Fewest rows in a leaf</source>
      <translation>Wenigste Zeilen in einem Blatt</translation>
    </message>
    <message>
      <source>Fewest rows to split</source>
      <translation>Wenigste Zeilen zum Teilen</translation>
    </message>
    <message>
      <source>Figures</source>
      <translation>Abbildungen</translation>
    </message>
    <message>
      <source>Files written</source>
      <translation>Geschriebene Dateien</translation>
    </message>
    <message>
      <source>Fill in, inside each training fold</source>
      <translation>Auffüllen, je Trainings-Fold</translation>
    </message>
    <message>
      <source>Fill them in</source>
      <translation>Auffüllen</translation>
    </message>
    <message>
      <source>Filled: these features; rings: all features. Each row once, its mean over the repeats that tested it; the line is a perfect model.</source>
      <translation>Gefüllt: diese Merkmale; Ringe: alle Merkmale. Jede Zeile einmal, gemittelt über die Wiederholungen, die sie testeten; die Linie ist ein vollkommenes Modell.</translation>
    </message>
    <message>
      <source>Filter</source>
      <translation>Filter</translation>
    </message>
    <message>
      <source>Filter first</source>
      <translation>Zuerst filtern</translation>
    </message>
    <message>
      <source>Filtering first</source>
      <translation>Vorfilter</translation>
    </message>
    <message>
      <source>Filters, L1 path and forest alone: seconds, but features that help only together are missed.</source>
      <translation>Nur Filter, L1-Pfad und Wald: Sekunden, aber Merkmale, die nur gemeinsam helfen, werden übersehen.</translation>
    </message>
    <message>
      <source>Finalists</source>
      <translation>Finalisten</translation>
    </message>
    <message>
      <source>Finalists of a round</source>
      <translation>Finalisten einer Runde</translation>
    </message>
    <message>
      <source>Finalists, measured again on folds that are the same for those measured side by side; bars are one standard error.</source>
      <translation>Finalisten, noch einmal gemessen auf Folds, die für nebeneinander gemessene dieselben sind; Balken sind ein Standardfehler.</translation>
    </message>
    <message>
      <source>Find a column</source>
      <translation>Spalte suchen</translation>
    </message>
    <message>
      <source>Find a feature</source>
      <translation>Merkmal suchen</translation>
    </message>
    <message>
      <source>Find a feature and go to it</source>
      <translation>Ein Merkmal suchen und hingehen</translation>
    </message>
    <message>
      <source>Find a feature, a description or a note</source>
      <translation>Merkmal, Beschreibung oder Notiz suchen</translation>
    </message>
    <message>
      <source>Find a run</source>
      <translation>Lauf suchen</translation>
    </message>
    <message>
      <source>Find a run by name, data, method, model, seed or state</source>
      <translation>Einen Lauf nach Name, Daten, Verfahren, Modell, Startwert oder Zustand suchen</translation>
    </message>
    <message>
      <source>Find a selected feature</source>
      <translation>Ein gewähltes Merkmal suchen</translation>
    </message>
    <message>
      <source>Find the features that predict</source>
      <translation>Finden Sie die Merkmale, die vorhersagen</translation>
    </message>
    <message>
      <source>Finding “{name}”. Mean of the folds; band and ± are one standard deviation over the repeats.</source>
      <translation>Finden von „{name}“. Mittel der Folds; Band und ± sind eine Standardabweichung über die Wiederholungen.</translation>
    </message>
    <message>
      <source>Fingerprint (SHA-256)</source>
      <translation>Fingerabdruck (SHA-256)</translation>
    </message>
    <message>
      <source>First line holds names</source>
      <translation>Erste Zeile enthält Namen</translation>
    </message>
    <message>
      <source>First rows of the table</source>
      <translation>Erste Zeilen der Tabelle</translation>
    </message>
    <message>
      <source>First seed</source>
      <translation>Erster Startwert</translation>
    </message>
    <message>
      <source>Fits planned</source>
      <translation>Geplante Anpassungen</translation>
    </message>
    <message>
      <source>Folder</source>
      <translation>Ordner</translation>
    </message>
    <message>
      <source>Folder to write to</source>
      <translation>Zielordner</translation>
    </message>
    <message>
      <source>Folds</source>
      <translation>Folds</translation>
    </message>
    <message>
      <source>Folds of a column</source>
      <translation>Folds einer Spalte</translation>
    </message>
    <message>
      <source>For F1 of two classes; the rarer class where nothing is named.</source>
      <translation>Für F1 bei zwei Klassen; die seltenere, wenn nichts genannt ist.</translation>
    </message>
    <message>
      <source>For fsdesk run --settings; its first lines say the whole command</source>
      <translation>Für fsdesk run --settings; die ersten Zeilen nennen den ganzen Befehl</translation>
    </message>
    <message>
      <source>For how many moves a feature that was switched may not be switched back; 0 takes the square root of the number of features.</source>
      <translation>Für wie viele Züge ein umgeschaltetes Merkmal nicht zurückgeschaltet werden darf; 0 nimmt die Quadratwurzel der Anzahl der Merkmale.</translation>
    </message>
    <message>
      <source>For print (*.pdf)</source>
      <translation>Für den Druck (*.pdf)</translation>
    </message>
    <message>
      <source>For reviewers, all in one file: log, seeds, folds, report; fsdesk verify checks it</source>
      <translation>Für Gutachter, alles in einer Datei: Protokoll, Startwerte, Folds, Bericht; fsdesk verify prüft es</translation>
    </message>
    <message>
      <source>For tables with 100 features or more: 9000 measurements, as many as the paper allows.</source>
      <translation>Für Tabellen mit 100 oder mehr Merkmalen: 9000 Messungen, so viele wie im Artikel erlaubt.</translation>
    </message>
    <message>
      <source>For tables with 100 features or more: about 9000 measurements, as many as the paper allows.</source>
      <translation>Für Tabellen mit 100 oder mehr Merkmalen: etwa 9000 Messungen, so viele wie im Artikel erlaubt.</translation>
    </message>
    <message>
      <source>For tables with 100 features or more: narrowed down in rounds.</source>
      <translation>Für Tabellen mit 100 oder mehr Merkmalen: in Runden verkleinert.</translation>
    </message>
    <message>
      <source>For tables with fewer than 100 features, best with no more than 30.</source>
      <translation>Für Tabellen mit weniger als 100 Merkmalen, am besten mit höchstens 30.</translation>
    </message>
    <message>
      <source>For tables with fewer than 100 features: 3000 measurements, as many as the paper allows.</source>
      <translation>Für Tabellen mit weniger als 100 Merkmalen: 3000 Messungen, so viele wie im Artikel erlaubt.</translation>
    </message>
    <message>
      <source>For tables with fewer than 100 features: about 3000 measurements, as many as the paper allows.</source>
      <translation>Für Tabellen mit weniger als 100 Merkmalen: etwa 3000 Messungen, so viele wie im Artikel erlaubt.</translation>
    </message>
    <message>
      <source>For tables with fewer than 100 features: one round.</source>
      <translation>Für Tabellen mit weniger als 100 Merkmalen: eine Runde.</translation>
    </message>
    <message>
      <source>For the mean cost, such as "ill &gt; healthy = 5": what predicting the second class for the first costs.</source>
      <translation>Für die mittleren Kosten, etwa "ill &gt; healthy = 5": was es kostet, die zweite Klasse statt der ersten vorherzusagen.</translation>
    </message>
    <message>
      <source>Forest importance</source>
      <translation>Wichtigkeit im Wald</translation>
    </message>
    <message>
      <source>Forget</source>
      <translation>Vergessen</translation>
    </message>
    <message>
      <source>Forward in time</source>
      <translation>Vorwärts in der Zeit</translation>
    </message>
    <message>
      <source>Forward in time splits a group of {name}, which has early rows and late ones: take the role away from the column of groups, or choose another validation.</source>
      <translation>Vorwärts in der Zeit teilt eine Gruppe von {name}, die frühe und späte Zeilen hat: Nehmen Sie der Spalte der Gruppen ihre Rolle, oder wählen Sie eine andere Validierung.</translation>
    </message>
    <message>
      <source>Found in the file</source>
      <translation>Aus der Datei erkannt</translation>
    </message>
    <message>
      <source>Free</source>
      <translation>Frei</translation>
    </message>
    <message>
      <source>Free software under the MIT licence</source>
      <translation>Freie Software unter der MIT-Lizenz</translation>
    </message>
    <message>
      <source>Freedom C</source>
      <translation>Freiheit C</translation>
    </message>
    <message>
      <source>Frequency</source>
      <translation>Häufigkeit</translation>
    </message>
    <message>
      <source>From OpenML …</source>
      <translation>Von OpenML …</translation>
    </message>
    <message>
      <source>From feature to feature</source>
      <translation>Von Merkmal zu Merkmal</translation>
    </message>
    <message>
      <source>From step to step, or from column to column</source>
      <translation>Von Schritt zu Schritt oder von Spalte zu Spalte</translation>
    </message>
    <message>
      <source>From {low} and below {high}</source>
      <translation>Von {low} bis unter {high}</translation>
    </message>
    <message>
      <source>From {low} to {high}</source>
      <translation>Von {low} bis {high}</translation>
    </message>
    <message>
      <source>From {rows}, {how}. The interval counts rows.</source>
      <translation>Aus {rows}, {how}. Das Intervall zählt Zeilen.</translation>
    </message>
    <message>
      <source>GEO series matrix</source>
      <translation>GEO-Serienmatrix</translation>
    </message>
    <message>
      <source>Gain a</source>
      <translation>Schrittweite a</translation>
    </message>
    <message>
      <source>Gain against iteration</source>
      <translation>Schrittweite gegen Iteration</translation>
    </message>
    <message>
      <source>Gain by iteration: from {first:.3g} to {last:.3g}</source>
      <translation>Schrittweite nach Iteration: von {first:.3g} bis {last:.3g}</translation>
    </message>
    <message>
      <source>Gains averaged</source>
      <translation>Gemittelte Schrittweiten</translation>
    </message>
    <message>
      <source>Gene-expression tables often have one feature a row and one sample a column.</source>
      <translation>Tabellen der Genexpression haben oft ein Merkmal je Zeile und eine Probe je Spalte.</translation>
    </message>
    <message>
      <source>Generations, at most</source>
      <translation>Generationen, höchstens</translation>
    </message>
    <message>
      <source>Genetic algorithm</source>
      <translation>Genetischer Algorithmus</translation>
    </message>
    <message>
      <source>Gini</source>
      <translation>Gini</translation>
    </message>
    <message>
      <source>Give it a name.</source>
      <translation>Geben Sie ihr einen Namen.</translation>
    </message>
    <message>
      <source>Gives a row the class of the rows most like it, or the mean of their numbers. Simple, and easily misled by useless features: a good guide for a search.</source>
      <translation>Gibt einer Zeile die Klasse der ähnlichsten Zeilen oder das Mittel ihrer Zahlen. Einfach und von nutzlosen Merkmalen leicht irregeführt: ein guter Wegweiser für eine Suche.</translation>
    </message>
    <message>
      <source>Go on</source>
      <translation>Weiter</translation>
    </message>
    <message>
      <source>Go on here</source>
      <translation>Hier weiterarbeiten</translation>
    </message>
    <message>
      <source>Go on with them</source>
      <translation>Damit fortfahren</translation>
    </message>
    <message>
      <source>Goes from subset to subset by one feature at a time, always to the best neighbour that it measured, and does not undo a change for a while. With thousands of features one at a time is slow.</source>
      <translation>Geht von Teilmenge zu Teilmenge, ein Merkmal auf einmal, immer zum besten gemessenen Nachbarn, und nimmt eine Änderung eine Weile nicht zurück. Bei Tausenden von Merkmalen ist eines auf einmal langsam.</translation>
    </message>
    <message>
      <source>Goes through all sizes, then confirms the best of each.</source>
      <translation>Geht durch alle Größen und bestätigt dann die beste Teilmenge jeder Größe.</translation>
    </message>
    <message>
      <source>Goes to the first feature whose name holds this; Enter goes to the next one.</source>
      <translation>Geht zum ersten Merkmal, dessen Name dies enthält; Eingabe geht zum nächsten.</translation>
    </message>
    <message>
      <source>Green</source>
      <translation>Grün</translation>
    </message>
    <message>
      <source>Groups of rows</source>
      <translation>Zeilengruppen</translation>
    </message>
    <message>
      <source>Guide</source>
      <translation>Wegweiser</translation>
    </message>
    <message>
      <source>HTML</source>
      <translation>HTML</translation>
    </message>
    <message>
      <source>Handwritten digits as 8 × 8 grey pixels, most at the rim useless (UCI).</source>
      <translation>Handgeschriebene Ziffern als 8 × 8 Graupunkte, die meisten am Rand nutzlos (UCI).</translation>
    </message>
    <message>
      <source>Heatmap</source>
      <translation>Heatmap</translation>
    </message>
    <message>
      <source>Heatmap of the selected features</source>
      <translation>Heatmap der gewählten Merkmale</translation>
    </message>
    <message>
      <source>Heatmaps</source>
      <translation>Heatmaps</translation>
    </message>
    <message>
      <source>Help</source>
      <translation>Hilfe</translation>
    </message>
    <message>
      <source>Help: {title}</source>
      <translation>Hilfe: {title}</translation>
    </message>
    <message>
      <source>Hide</source>
      <translation>Ausblenden</translation>
    </message>
    <message>
      <source>Higher is better.</source>
      <translation>Höher ist besser.</translation>
    </message>
    <message>
      <source>Hinge, one against one</source>
      <translation>Hinge, eine gegen eine</translation>
    </message>
    <message>
      <source>Hold-out, repeated</source>
      <translation>Testanteil, wiederholt</translation>
    </message>
    <message>
      <source>How exactly a machine is trained before it is used; smaller is slower and rarely changes a prediction.</source>
      <translation>Wie genau eine Maschine trainiert wird, bevor sie verwendet wird; kleiner ist langsamer und ändert selten eine Vorhersage.</translation>
    </message>
    <message>
      <source>How far all weights are pushed up or down to feel the slope.</source>
      <translation>Wie weit alle Gewichte nach oben oder unten gestoßen werden, um die Steigung zu ertasten.</translation>
    </message>
    <message>
      <source>How far all weights are pushed up or down to feel the slope. Until a weight reaches 0 or 1 only a/c^2 matters.</source>
      <translation>Wie weit alle Gewichte nach oben oder unten gestoßen werden, um die Steigung zu ertasten. Bis ein Gewicht 0 oder 1 erreicht, zählt nur a/c^2.</translation>
    </message>
    <message>
      <source>How far the fresh measurements are</source>
      <translation>Wie weit die neuen Messungen sind</translation>
    </message>
    <message>
      <source>How far the outer folds are</source>
      <translation>Wie weit die äußeren Folds sind</translation>
    </message>
    <message>
      <source>How far the weights are pushed once more, to feel how the slope itself changes.</source>
      <translation>Wie weit die Gewichte ein weiteres Mal gestoßen werden, um zu ertasten, wie sich die Steigung selbst ändert.</translation>
    </message>
    <message>
      <source>How far weights move at a step; 0 goes by the number of steps.</source>
      <translation>Wie weit sich Gewichte in einem Schritt bewegen; 0 richtet sich nach der Zahl der Schritte.</translation>
    </message>
    <message>
      <source>How fast the pushes shrink: c_k = c / (k + 1)^gamma.</source>
      <translation>Wie schnell die Stöße schrumpfen: c_k = c / (k + 1)^gamma.</translation>
    </message>
    <message>
      <source>How fast the steps shrink; 0.6 is the best value for a finite search.</source>
      <translation>Wie schnell die Schritte schrumpfen; 0,6 ist der beste Wert für eine endliche Suche.</translation>
    </message>
    <message>
      <source>How it works</source>
      <translation>So funktioniert es</translation>
    </message>
    <message>
      <source>How large the weights may grow: smaller is steadier, larger follows the rows more closely.</source>
      <translation>Wie groß die Gewichte werden dürfen: kleiner ist stetiger, größer folgt den Zeilen genauer.</translation>
    </message>
    <message>
      <source>How likely a typical change for the worse is accepted at the first temperature.</source>
      <translation>Wie wahrscheinlich eine typische Verschlechterung bei der ersten Temperatur angenommen wird.</translation>
    </message>
    <message>
      <source>How likely each feature of each child is switched, in or out.</source>
      <translation>Wie wahrscheinlich jedes Merkmal jedes Kindes umgeschaltet wird, hinein oder hinaus.</translation>
    </message>
    <message>
      <source>How long they take</source>
      <translation>Wie lange sie dauern</translation>
    </message>
    <message>
      <source>How many</source>
      <translation>Wie viele</translation>
    </message>
    <message>
      <source>How many changed subsets are measured side by side at each temperature; those behind the first that is accepted are not moved to.</source>
      <translation>Wie viele veränderte Teilmengen bei jeder Temperatur nebeneinander gemessen werden; zu denen hinter der ersten angenommenen wird nicht gegangen.</translation>
    </message>
    <message>
      <source>How many features a subset holds on average when the search begins; larger ones find features that help only together, smaller ones single features.</source>
      <translation>Wie viele Merkmale eine Teilmenge zu Beginn der Suche im Mittel enthält; größere finden Merkmale, die nur gemeinsam helfen, kleinere einzelne Merkmale.</translation>
    </message>
    <message>
      <source>How many features the answer has.</source>
      <translation>Wie viele Merkmale die Antwort hat.</translation>
    </message>
    <message>
      <source>How many features the best mask so far holds.</source>
      <translation>Wie viele Merkmale die bisher beste Maske enthält.</translation>
    </message>
    <message>
      <source>How many features the subset has: those with the largest weights; 0 lets the search decide. Features that go together count as one.</source>
      <translation>Wie viele Merkmale die Teilmenge hat: die mit den größten Gewichten; 0 überlässt es der Suche. Merkmale, die zusammengehören, zählen als eines.</translation>
    </message>
    <message>
      <source>How many features were found</source>
      <translation>Wie viele Merkmale gefunden wurden</translation>
    </message>
    <message>
      <source>How many masks were measured, of the most that it can take.</source>
      <translation>Wie viele Masken gemessen wurden, von den meisten, die es werden können.</translation>
    </message>
    <message>
      <source>How many of the best features by the filter are searched.</source>
      <translation>Wie viele der nach dem Filter besten Merkmale durchsucht werden.</translation>
    </message>
    <message>
      <source>How many of the best subsets live on unchanged; at least one place is left for a child.</source>
      <translation>Wie viele der besten Teilmengen unverändert weiterleben; mindestens ein Platz bleibt für ein Kind.</translation>
    </message>
    <message>
      <source>How many of the best subsets so far leave pheromone and are built upon.</source>
      <translation>Wie viele der bisher besten Teilmengen Pheromon hinterlassen und als Grundlage dienen.</translation>
    </message>
    <message>
      <source>How many of the rows most like it vote on the class of a row.</source>
      <translation>Wie viele der ähnlichsten Zeilen über die Klasse einer Zeile abstimmen.</translation>
    </message>
    <message>
      <source>How many pairs of measurements each step averages: more make a steadier step, and a dearer one.</source>
      <translation>Wie viele Paare von Messungen jeder Schritt mittelt: mehr machen einen stetigeren und teureren Schritt.</translation>
    </message>
    <message>
      <source>How many questions in a row may be asked; 0 sets no limit.</source>
      <translation>Wie viele Fragen hintereinander gestellt werden dürfen; 0 setzt keine Grenze.</translation>
    </message>
    <message>
      <source>How many random subsets are measured; each is one iteration.</source>
      <translation>Wie viele zufällige Teilmengen gemessen werden; jede ist eine Iteration.</translation>
    </message>
    <message>
      <source>How many runs</source>
      <translation>Wie viele Läufe</translation>
    </message>
    <message>
      <source>How many runs are at work together; they share the cores. The others wait in line.</source>
      <translation>Wie viele Läufe zusammen arbeiten; sie teilen sich die Kerne. Die anderen warten in der Schlange.</translation>
    </message>
    <message>
      <source>How many runs with different seeds the line is the mean of.</source>
      <translation>Über wie viele Läufe mit verschiedenen Startwerten die Zeile gemittelt ist.</translation>
    </message>
    <message>
      <source>How many seeds</source>
      <translation>Wie viele Startwerte</translation>
    </message>
    <message>
      <source>How many subsets are built at a time; all of them are measured side by side.</source>
      <translation>Wie viele Teilmengen auf einmal gebaut werden; alle werden nebeneinander gemessen.</translation>
    </message>
    <message>
      <source>How many subsets are equally good</source>
      <translation>Wie viele Teilmengen gleich gut sind</translation>
    </message>
    <message>
      <source>How many subsets are measured in all; the search plans with this number, and more find more.</source>
      <translation>Wie viele Teilmengen insgesamt gemessen werden; die Suche plant mit dieser Zahl, und mehr finden mehr.</translation>
    </message>
    <message>
      <source>How many subsets fly in the swarm; all of them are measured side by side.</source>
      <translation>Wie viele Teilmengen im Schwarm fliegen; alle werden nebeneinander gemessen.</translation>
    </message>
    <message>
      <source>How many subsets live at a time; all of a generation are measured side by side.</source>
      <translation>Wie viele Teilmengen zugleich leben; alle einer Generation werden nebeneinander gemessen.</translation>
    </message>
    <message>
      <source>How many subsets were measured.</source>
      <translation>Wie viele Teilmengen gemessen wurden.</translation>
    </message>
    <message>
      <source>How many subsets, each one feature away, are measured before a move; 0 takes the square root of the number of features.</source>
      <translation>Wie viele Teilmengen, je ein Merkmal entfernt, vor einem Zug gemessen werden; 0 nimmt die Quadratwurzel der Anzahl der Merkmale.</translation>
    </message>
    <message>
      <source>How many times a model is trained and judged, in all; 0 goes by how long the model takes to fit.</source>
      <translation>Wie oft insgesamt ein Modell trainiert und beurteilt wird; 0 richtet sich danach, wie lange das Modell dafür braucht.</translation>
    </message>
    <message>
      <source>How many times the sizes halfway to both neighbours of the best one are measured too.</source>
      <translation>Wie oft die Größen auf halbem Weg zu beiden Nachbarn der besten auch gemessen werden.</translation>
    </message>
    <message>
      <source>How mixed the classes of a group of rows are; numbers are always split by squared error.</source>
      <translation>Wie gemischt die Klassen einer Gruppe von Zeilen sind; Zahlen werden immer nach dem quadratischen Fehler geteilt.</translation>
    </message>
    <message>
      <source>How much a row on the wrong side counts against a wide margin; larger follows the data more closely.</source>
      <translation>Wie viel eine Zeile auf der falschen Seite gegen einen breiten Rand zählt; größer folgt den Daten genauer.</translation>
    </message>
    <message>
      <source>How much more likely a feature that the guide ranks higher is added; 0 ignores the guide.</source>
      <translation>Wie viel eher ein Merkmal hinzukommt, das der Wegweiser höher einordnet; 0 übergeht den Wegweiser.</translation>
    </message>
    <message>
      <source>How much more likely a feature with more pheromone is added; 0 ignores the pheromone.</source>
      <translation>Wie viel eher ein Merkmal mit mehr Pheromon hinzukommt; 0 übergeht das Pheromon.</translation>
    </message>
    <message>
      <source>How much of its velocity a particle keeps from one move to the next.</source>
      <translation>Wie viel seiner Geschwindigkeit ein Partikel von einer Bewegung zur nächsten behält.</translation>
    </message>
    <message>
      <source>How often a child has two parents; otherwise it is a copy of one, then mutated.</source>
      <translation>Wie oft ein Kind zwei Eltern hat; sonst ist es eine Kopie eines Elternteils, dann mutiert.</translation>
    </message>
    <message>
      <source>How often each feature is in them</source>
      <translation>Wie oft jedes Merkmal darin vorkommt</translation>
    </message>
    <message>
      <source>How often each finalist is measured again, always on the same folds as the others.</source>
      <translation>Wie oft jeder Finalist noch einmal gemessen wird, immer auf denselben Folds wie die anderen.</translation>
    </message>
    <message>
      <source>How often each finalist is measured again, every time on the same new folds as the others.</source>
      <translation>Wie oft jeder Finalist noch einmal gemessen wird, jedes Mal auf denselben neuen Folds wie die anderen.</translation>
    </message>
    <message>
      <source>How often each of the last finalists is measured; their mean is what the search reports.</source>
      <translation>Wie oft jeder der letzten Finalisten gemessen wird; ihr Mittel berichtet die Suche.</translation>
    </message>
    <message>
      <source>How often each run of these data selects a feature</source>
      <translation>Wie oft jeder Lauf mit diesen Daten ein Merkmal wählt</translation>
    </message>
    <message>
      <source>How often the search begins anew with the features it kept; 0 chooses by the number of features.</source>
      <translation>Wie oft die Suche mit den behaltenen Merkmalen neu beginnt; 0 wählt nach der Anzahl der Merkmale.</translation>
    </message>
    <message>
      <source>How often the subset that the weights stand for is measured.</source>
      <translation>Wie oft die Teilmenge gemessen wird, für die die Gewichte stehen.</translation>
    </message>
    <message>
      <source>How often the subset that the weights stand for is measured; the last one always is.</source>
      <translation>Wie oft die Teilmenge gemessen wird, für die die Gewichte stehen; die letzte immer.</translation>
    </message>
    <message>
      <source>How often the validation is repeated on new random folds; more repeats, less noise, more time.</source>
      <translation>Wie oft die Validierung auf neuen zufälligen Folds wiederholt wird; mehr Wiederholungen, weniger Rauschen, mehr Zeit.</translation>
    </message>
    <message>
      <source>How strongly a particle is drawn to the best subset that any of them has met.</source>
      <translation>Wie stark ein Partikel zur besten Teilmenge gezogen wird, die eines von ihnen getroffen hat.</translation>
    </message>
    <message>
      <source>How strongly a particle is drawn to the best subset that it has met itself.</source>
      <translation>Wie stark ein Partikel zur besten Teilmenge gezogen wird, die es selbst getroffen hat.</translation>
    </message>
    <message>
      <source>How strongly weights are kept small.</source>
      <translation>Wie stark die Gewichte klein gehalten werden.</translation>
    </message>
    <message>
      <source>How surprised the model is by the truth: it punishes confident mistakes hardest.</source>
      <translation>Wie überrascht das Modell von der Wahrheit ist: Es bestraft selbstsichere Fehler am härtesten.</translation>
    </message>
    <message>
      <source>How the answer compares with all features</source>
      <translation>Wie die Antwort neben allen Merkmalen steht</translation>
    </message>
    <message>
      <source>How the curves are drawn, and saving them</source>
      <translation>Wie die Kurven gezeichnet werden, und Speichern</translation>
    </message>
    <message>
      <source>How the letters of a text file are stored; matters for names with accents.</source>
      <translation>Wie die Buchstaben einer Textdatei gespeichert sind; wichtig für Namen mit Umlauten und Akzenten.</translation>
    </message>
    <message>
      <source>How the strategies do on held-out rows</source>
      <translation>Wie die Strategien auf zurückgehaltenen Zeilen abschneiden</translation>
    </message>
    <message>
      <source>How two parents make a child; uniform is better: all else as in the paper it reached 6.6 instead of 8.3 % error on ionosphere and 7.7 instead of 9.2 % on sonar (four seeds, nearest neighbour).</source>
      <translation>Wie zwei Eltern ein Kind bilden; gleichmäßig ist besser: sonst wie im Artikel erreichte es 6,6 statt 8,3 % Fehler bei ionosphere und 7,7 statt 9,2 % bei sonar (vier Startwerte, nächster Nachbar).</translation>
    </message>
    <message>
      <source>How unlike two rows are: the straight line between them, the sum of their differences, or how far their profiles point apart whatever their size.</source>
      <translation>Wie unähnlich zwei Zeilen sind: die gerade Linie dazwischen, die Summe ihrer Unterschiede oder wie weit ihre Profile auseinander zeigen, unabhängig von ihrer Größe.</translation>
    </message>
    <message>
      <source>Impurity</source>
      <translation>Unreinheit</translation>
    </message>
    <message>
      <source>In "{name}", "run" must be a section: write [run].</source>
      <translation>In „{name}“ muss „run“ ein Abschnitt sein: Schreiben Sie [run].</translation>
    </message>
    <message>
      <source>In "{name}", "{key}" of [run] cannot be {value}: correct it or leave it out.</source>
      <translation>In „{name}“ kann „{key}“ von [run] nicht {value} sein: Berichtigen Sie es, oder lassen Sie es weg.</translation>
    </message>
    <message>
      <source>In "{name}", "{x_name}" is {shape} x {shape2} and "{y_name}" has {labels} values; they must have one row a sample.</source>
      <translation>In „{name}“ ist „{x_name}“ {shape} x {shape2}, und „{y_name}“ hat {labels} Werte; beide müssen eine Zeile je Probe haben.</translation>
    </message>
    <message>
      <source>In "{name}", [run] has no "{key}"; there are: {run}.</source>
      <translation>In „{name}“ hat [run] kein „{key}“; es gibt: {run}.</translation>
    </message>
    <message>
      <source>In (1) or out (0) over the iterations</source>
      <translation>Drin (1) oder draußen (0) über die Iterationen</translation>
    </message>
    <message>
      <source>In how many of them</source>
      <translation>In wie vielen davon</translation>
    </message>
    <message>
      <source>In the first column</source>
      <translation>In der ersten Spalte</translation>
    </message>
    <message>
      <source>In the search</source>
      <translation>In der Suche</translation>
    </message>
    <message>
      <source>Include</source>
      <translation>Aufnehmen</translation>
    </message>
    <message>
      <source>Include all columns shown</source>
      <translation>Alle gezeigten Spalten aufnehmen</translation>
    </message>
    <message>
      <source>Include shown</source>
      <translation>Gezeigte aufnehmen</translation>
    </message>
    <message>
      <source>Inertia</source>
      <translation>Trägheit</translation>
    </message>
    <message>
      <source>Information</source>
      <translation>Information</translation>
    </message>
    <message>
      <source>Injected noise q</source>
      <translation>Eingespeistes Rauschen q</translation>
    </message>
    <message>
      <source>Inside each training fold (honest)</source>
      <translation>In jedem Trainings-Fold (ehrlich)</translation>
    </message>
    <message>
      <source>Intervals</source>
      <translation>Intervalle</translation>
    </message>
    <message>
      <source>Into how many parts the rows are dealt; each is held out once, while the search sees the others. 0 takes 10 where the model is quick to fit, else 5.</source>
      <translation>In wie viele Teile die Zeilen geteilt werden; jeder wird einmal zurückgehalten, während die Suche die anderen sieht. 0 nimmt 10, wenn das Modell schnell trainiert ist, sonst 5.</translation>
    </message>
    <message>
      <source>Into how many parts the rows are dealt; each part is predicted by a model trained on the others.</source>
      <translation>In wie viele Teile die Zeilen verteilt werden; jeder Teil wird von einem Modell vorhergesagt, das auf den anderen trainiert ist.</translation>
    </message>
    <message>
      <source>It cannot be predicted yet: the checks say why.</source>
      <translation>Sie lässt sich noch nicht vorhersagen: Die Prüfungen sagen, warum.</translation>
    </message>
    <message>
      <source>It cannot predict {kind}, which the target holds.</source>
      <translation>Es kann {kind} nicht vorhersagen, die die Zielgröße enthält.</translation>
    </message>
    <message>
      <source>It holds when the run goes on.</source>
      <translation>Es gilt, wenn der Lauf weitergeht.</translation>
    </message>
    <message>
      <source>It is being measured on fresh folds …</source>
      <translation>Es wird auf neuen Folds gemessen …</translation>
    </message>
    <message>
      <source>It is in every subset; the search decides about the others.</source>
      <translation>Sie ist in jeder Teilmenge; über die anderen entscheidet die Suche.</translation>
    </message>
    <message>
      <source>It is set aside because its values look like row ids: use it only if it was measured.</source>
      <translation>Sie liegt beiseite, weil ihre Werte wie Zeilennummern aussehen: Verwenden Sie sie nur, wenn sie gemessen wurde.</translation>
    </message>
    <message>
      <source>It is the best of many noisy measurements, made on the same rows that guided the search.</source>
      <translation>Es ist die beste von vielen verrauschten Messungen, auf denselben Zeilen, die die Suche geleitet haben.</translation>
    </message>
    <message>
      <source>It replaces your preset of this name.</source>
      <translation>Sie ersetzt Ihre Vorgabe dieses Namens.</translation>
    </message>
    <message>
      <source>It takes no part.</source>
      <translation>Sie nimmt nicht teil.</translation>
    </message>
    <message>
      <source>It will be stopped and can be resumed when you open the project again.</source>
      <translation>Er wird gestoppt und kann fortgesetzt werden, wenn Sie das Projekt wieder öffnen.</translation>
    </message>
    <message>
      <source>Iterations of the method</source>
      <translation>Iterationen des Verfahrens</translation>
    </message>
    <message>
      <source>Iterations, at most</source>
      <translation>Iterationen, höchstens</translation>
    </message>
    <message>
      <source>Its interval and the difference to all features are not known, for it was measured by an older fsdesk: measure it again.</source>
      <translation>Sein Intervall und der Unterschied zu allen Merkmalen sind nicht bekannt, denn eine ältere Version von fsdesk hat ihn gemessen: Messen Sie ihn noch einmal.</translation>
    </message>
    <message>
      <source>Its values (across) and {target} (up)</source>
      <translation>Seine Werte (nach rechts) und {target} (nach oben)</translation>
    </message>
    <message>
      <source>J48</source>
      <translation>J48</translation>
    </message>
    <message>
      <source>J48's default is off</source>
      <translation>Standard von J48 ist aus</translation>
    </message>
    <message>
      <source>Join a table of gene descriptions (CSV, TSV, Excel) by name: its columns go into mask.csv too</source>
      <translation>Eine Tabelle mit Genbeschreibungen (CSV, TSV, Excel) über die Namen verbinden: Ihre Spalten gehen auch in mask.csv ein</translation>
    </message>
    <message>
      <source>Keep in every subset</source>
      <translation>In jeder Teilmenge behalten</translation>
    </message>
    <message>
      <source>Keep running</source>
      <translation>Weiterlaufen lassen</translation>
    </message>
    <message>
      <source>Keep the project under a name of your own</source>
      <translation>Das Projekt unter einem eigenen Namen behalten</translation>
    </message>
    <message>
      <source>Keep these settings in your list of presets</source>
      <translation>Diese Einstellungen in Ihre Liste der Vorgaben aufnehmen</translation>
    </message>
    <message>
      <source>Keeps the first steps small; about a tenth of the iterations.</source>
      <translation>Hält die ersten Schritte klein; etwa ein Zehntel der Iterationen.</translation>
    </message>
    <message>
      <source>Keeps the steps at nearly the same size until about so many were made.</source>
      <translation>Hält die Schritte fast gleich groß, bis etwa so viele gemacht sind.</translation>
    </message>
    <message>
      <source>Kennedy and Eberhart 1997</source>
      <translation>Kennedy und Eberhart 1997</translation>
    </message>
    <message>
      <source>Kennedy and Eberhart 1997: the whole of it</source>
      <translation>Kennedy und Eberhart 1997: die ganze</translation>
    </message>
    <message>
      <source>Keys</source>
      <translation>Tasten</translation>
    </message>
    <message>
      <source>Kind</source>
      <translation>Art</translation>
    </message>
    <message>
      <source>L1</source>
      <translation>L1</translation>
    </message>
    <message>
      <source>L1 path</source>
      <translation>L1-Pfad</translation>
    </message>
    <message>
      <source>LIBSVM: 0.001</source>
      <translation>LIBSVM: 0.001</translation>
    </message>
    <message>
      <source>LIBSVM: 0.1</source>
      <translation>LIBSVM: 0,1</translation>
    </message>
    <message>
      <source>LaTeX</source>
      <translation>LaTeX</translation>
    </message>
    <message>
      <source>Labels "{columns}" were joined from "{name}" by order, since the two files share no sample ids; make sure that their order is the same.</source>
      <translation>Die Klassen „{columns}“ kommen aus „{name}“, der Reihe nach, denn die beiden Dateien haben keine gemeinsamen Probenkennungen; vergewissern Sie sich, dass die Reihenfolge dieselbe ist.</translation>
    </message>
    <message>
      <source>Labels "{columns}" were joined from "{name}" by sample id.</source>
      <translation>Die Klassen „{columns}“ kommen aus „{name}“, zugeordnet nach Probenkennung.</translation>
    </message>
    <message>
      <source>Labels file</source>
      <translation>Datei mit Klassen</translation>
    </message>
    <message>
      <source>Lan&amp;guage</source>
      <translation>S&amp;prache</translation>
    </message>
    <message>
      <source>Largest depth</source>
      <translation>Größte Tiefe</translation>
    </message>
    <message>
      <source>Largest gain</source>
      <translation>Größte Schrittweite</translation>
    </message>
    <message>
      <source>Last finalists of a round</source>
      <translation>Letzte Finalisten einer Runde</translation>
    </message>
    <message>
      <source>Last temperature</source>
      <translation>Letzte Temperatur</translation>
    </message>
    <message>
      <source>Latin-1</source>
      <translation>Latin-1</translation>
    </message>
    <message>
      <source>Least curvature</source>
      <translation>Kleinste Krümmung</translation>
    </message>
    <message>
      <source>Leave it empty to call the run by its data, method and seed again.</source>
      <translation>Lassen Sie das Feld leer, um den Lauf wieder nach Daten, Verfahren und Startwert zu nennen.</translation>
    </message>
    <message>
      <source>Leave it out</source>
      <translation>Weglassen</translation>
    </message>
    <message>
      <source>Leave it to the search again</source>
      <translation>Wieder der Suche überlassen</translation>
    </message>
    <message>
      <source>Leave one out</source>
      <translation>Eine Zeile auslassen</translation>
    </message>
    <message>
      <source>Leave out</source>
      <translation>Weglassen</translation>
    </message>
    <message>
      <source>Leave out all columns shown</source>
      <translation>Alle gezeigten Spalten weglassen</translation>
    </message>
    <message>
      <source>Leave out columns</source>
      <translation>Spalten weglassen</translation>
    </message>
    <message>
      <source>Leave out columns with gaps</source>
      <translation>Spalten mit Lücken weglassen</translation>
    </message>
    <message>
      <source>Leave out rows</source>
      <translation>Zeilen weglassen</translation>
    </message>
    <message>
      <source>Leave out rows with gaps</source>
      <translation>Zeilen mit Lücken weglassen</translation>
    </message>
    <message>
      <source>Leave out shown</source>
      <translation>Gezeigte weglassen</translation>
    </message>
    <message>
      <source>Leave out text columns</source>
      <translation>Textspalten weglassen</translation>
    </message>
    <message>
      <source>Leave them out</source>
      <translation>Weglassen</translation>
    </message>
    <message>
      <source>Left out</source>
      <translation>Weggelassen</translation>
    </message>
    <message>
      <source>Left out: {count} without a subset or of other data.</source>
      <translation>Weggelassen: {count} ohne Teilmenge oder mit anderen Daten.</translation>
    </message>
    <message>
      <source>Left, Right</source>
      <translation>Links, Rechts</translation>
    </message>
    <message>
      <source>Less than a second here, if it takes them all</source>
      <translation>Weniger als eine Sekunde hier, wenn alle gebraucht werden</translation>
    </message>
    <message>
      <source>Let it be as it was</source>
      <translation>Wieder so, wie es war</translation>
    </message>
    <message>
      <source>Let it take more</source>
      <translation>Mehr erlauben</translation>
    </message>
    <message>
      <source>Let the next run begin with what this one found</source>
      <translation>Der nächste Lauf beginnt mit dem, was dieser gefunden hat</translation>
    </message>
    <message>
      <source>Lets a swarm of subsets drift towards the best subsets that each of them and all of them have met.</source>
      <translation>Lässt einen Schwarm von Teilmengen zu den besten Teilmengen treiben, die jede einzelne und alle zusammen getroffen haben.</translation>
    </message>
    <message>
      <source>Lets several strategies compete on rows that they did not see: filters, an L1 path, a forest, and BSPSA on resampled rows. The winner, made anew from all rows, is the answer.</source>
      <translation>Lässt mehrere Strategien auf Zeilen gegeneinander antreten, die sie nicht gesehen haben: Filter, einen L1-Pfad, einen Wald und BSPSA auf wiederholt geteilten Zeilen. Der Gewinner, neu aus allen Zeilen gebildet, ist die Antwort.</translation>
    </message>
    <message>
      <source>Lets strategies compete on rows that they did not see, and ends with the error to expect on new rows. Pause and stop it as you like: every measurement is kept.</source>
      <translation>Lässt Strategien auf Zeilen gegeneinander antreten, die sie nicht gesehen haben, und endet mit dem Fehler, der auf neuen Zeilen zu erwarten ist. Halten Sie an und stoppen Sie, wie Sie möchten: Jede Messung bleibt erhalten.</translation>
    </message>
    <message>
      <source>Level</source>
      <translation>Stufe</translation>
    </message>
    <message>
      <source>Licence</source>
      <translation>Lizenz</translation>
    </message>
    <message>
      <source>Like the s&amp;ystem</source>
      <translation>Wie das S&amp;ystem</translation>
    </message>
    <message>
      <source>Line 2 of "{name}" must hold {wanted} whole numbers, features and samples first; correct that line.</source>
      <translation>Zeile 2 von „{name}“ muss {wanted} ganze Zahlen enthalten, zuerst Merkmale und Proben; berichtigen Sie diese Zeile.</translation>
    </message>
    <message>
      <source>Line {line} of "{name}" has {count} where {width} are expected by the separator that was chosen; choose another separator, or correct that line.</source>
      <translation>Zeile {line} von „{name}“ hat {count}, mit dem gewählten Trennzeichen werden {width} erwartet; wählen Sie ein anderes Trennzeichen, oder berichtigen Sie diese Zeile.</translation>
    </message>
    <message>
      <source>Line {line} of "{name}" has {count} where {width} are expected; correct that line.</source>
      <translation>Zeile {line} von „{name}“ hat {count}, erwartet werden {width}; berichtigen Sie diese Zeile.</translation>
    </message>
    <message>
      <source>Line {numbers} of "{name}" has "{cells}" for "{name2}", which does not declare it; correct that line.</source>
      <translation>Zeile {numbers} von „{name}“ hat „{cells}“ für „{name2}“, das dort nicht erklärt ist; berichtigen Sie diese Zeile.</translation>
    </message>
    <message>
      <source>Line {numbers} of "{name}" has "{cell}" for "{name2}", which is declared numeric; correct that line.</source>
      <translation>Zeile {numbers} von „{name}“ hat „{cell}“ für „{name2}“, das als Zahl erklärt ist; berichtigen Sie diese Zeile.</translation>
    </message>
    <message>
      <source>Line {numbers} of "{name}" is not "index value" with an index below {attributes}; correct that line.</source>
      <translation>Zeile {numbers} von „{name}“ ist nicht „Index Wert“ mit einem Index unter {attributes}; berichtigen Sie diese Zeile.</translation>
    </message>
    <message>
      <source>Line {numbers} of "{name}" is not sparse as the others; correct that line.</source>
      <translation>Zeile {numbers} von „{name}“ ist nicht dünn besetzt wie die anderen; berichtigen Sie diese Zeile.</translation>
    </message>
    <message>
      <source>Line {number} of "{name}" cannot be split into cells; correct that line.</source>
      <translation>Zeile {number} von „{name}“ lässt sich nicht in Zellen teilen; berichtigen Sie diese Zeile.</translation>
    </message>
    <message>
      <source>Line {number} of "{name}" declares "{title}" as "{kind}"; only numeric, nominal and string can be read.</source>
      <translation>Zeile {number} von „{name}“ erklärt „{title}“ als „{kind}“; gelesen werden nur numeric, nominal und string.</translation>
    </message>
    <message>
      <source>Line {number} of "{name}" declares no name and type ("{line}"); correct the header.</source>
      <translation>Zeile {number} von „{name}“ erklärt weder Namen noch Typ („{line}“); berichtigen Sie den Kopf.</translation>
    </message>
    <message>
      <source>Line {number} of "{name}" describes {cells} samples where the table has {count}; download the file again.</source>
      <translation>Zeile {number} von „{name}“ beschreibt {cells} Proben, die Tabelle hat {count}; laden Sie die Datei noch einmal herunter.</translation>
    </message>
    <message>
      <source>Line {number} of "{name}" has the index {indices}, too large; correct that line.</source>
      <translation>Zeile {number} von „{name}“ hat den Index {indices}, das ist zu groß; berichtigen Sie diese Zeile.</translation>
    </message>
    <message>
      <source>Line {number} of "{name}" is not "label index:value index:value" ("{strip}"); correct that line.</source>
      <translation>Zeile {number} von „{name}“ ist nicht „Klasse Index:Wert Index:Wert“ („{strip}“); berichtigen Sie diese Zeile.</translation>
    </message>
    <message>
      <source>Line {number} of "{name}" is not ARFF ("{stripped}"); correct the header.</source>
      <translation>Zeile {number} von „{name}“ ist nicht ARFF („{stripped}“); berichtigen Sie den Kopf.</translation>
    </message>
    <message>
      <source>Line {number} of the log of this bundle is no event: it is damaged.</source>
      <translation>Zeile {number} des Protokolls in diesem Paket ist kein Ereignis: Es ist beschädigt.</translation>
    </message>
    <message>
      <source>Line {start} of "{name}" cannot be split into cells (is a quotation mark missing?); correct that line.</source>
      <translation>Zeile {start} von „{name}“ lässt sich nicht in Zellen teilen (fehlt ein Anführungszeichen?); berichtigen Sie diese Zeile.</translation>
    </message>
    <message>
      <source>Linear SVM</source>
      <translation>Lineare SVM</translation>
    </message>
    <message>
      <source>Linear discriminants</source>
      <translation>Lineare Diskriminanz</translation>
    </message>
    <message>
      <source>Linear support vector machine</source>
      <translation>Lineare Support-Vektor-Maschine</translation>
    </message>
    <message>
      <source>List of features</source>
      <translation>Liste der Merkmale</translation>
    </message>
    <message>
      <source>Load settings</source>
      <translation>Einstellungen laden</translation>
    </message>
    <message>
      <source>Loaded "{name}": {what}.</source>
      <translation>„{name}“ geladen: {what}.</translation>
    </message>
    <message>
      <source>Log loss</source>
      <translation>Log-Verlust</translation>
    </message>
    <message>
      <source>Logistic regression</source>
      <translation>Logistische Regression</translation>
    </message>
    <message>
      <source>Longest step</source>
      <translation>Längster Schritt</translation>
    </message>
    <message>
      <source>Look closer</source>
      <translation>Genauer ansehen</translation>
    </message>
    <message>
      <source>Loss</source>
      <translation>Verlust</translation>
    </message>
    <message>
      <source>Lower is better.</source>
      <translation>Niedriger ist besser.</translation>
    </message>
    <message>
      <source>MAE</source>
      <translation>MAE</translation>
    </message>
    <message>
      <source>Made with {programs}.</source>
      <translation>Erstellt mit {programs}.</translation>
    </message>
    <message>
      <source>Made-up expression in 100 patients; only the 20 genes marker_01 to marker_20 tell ill from healthy.</source>
      <translation>Erfundene Expression bei 100 Patienten; nur die 20 Gene marker_01 bis marker_20 unterscheiden krank von gesund.</translation>
    </message>
    <message>
      <source>Manhattan</source>
      <translation>Manhattan</translation>
    </message>
    <message>
      <source>Mark at least one method and one model</source>
      <translation>Markieren Sie mindestens ein Verfahren und ein Modell</translation>
    </message>
    <message>
      <source>Markdown</source>
      <translation>Markdown</translation>
    </message>
    <message>
      <source>Marked where missing; rows run down, columns across. Click for a column.</source>
      <translation>Markiert, wo Werte fehlen; Zeilen von oben nach unten, Spalten nebeneinander. Ein Klick zeigt die Spalte.</translation>
    </message>
    <message>
      <source>Mask</source>
      <translation>Maske</translation>
    </message>
    <message>
      <source>Matthews correlation</source>
      <translation>Matthews-Korrelation</translation>
    </message>
    <message>
      <source>Mean cost</source>
      <translation>Mittlere Kosten</translation>
    </message>
    <message>
      <source>Mean size of the mistakes, in the unit of the target.</source>
      <translation>Mittlere Größe der Fehler in der Einheit der Zielgröße.</translation>
    </message>
    <message>
      <source>Mean {criterion} of each strategy at its best size, on rows that it did not see; the line is ± one standard error over the resamples. The best of several is a little too good: the error on unseen rows of the whole search comes after it.</source>
      <translation>Mittelwert ({criterion}) jeder Strategie bei ihrer besten Größe, auf Zeilen, die sie nicht sah; die Linie ist ± ein Standardfehler über die Stichproben. Das Beste von mehreren ist ein wenig zu gut: Der Fehler der ganzen Suche auf ungesehenen Zeilen kommt danach.</translation>
    </message>
    <message>
      <source>Measure it in {folds} outer folds (about {time})</source>
      <translation>In {folds} äußeren Folds messen (etwa {time})</translation>
    </message>
    <message>
      <source>Measure the &amp;honest error</source>
      <translation>E&amp;hrlichen Fehler messen</translation>
    </message>
    <message>
      <source>Measure the elite again</source>
      <translation>Elite noch einmal messen</translation>
    </message>
    <message>
      <source>Measure the honest error of each run when it has finished</source>
      <translation>Den ehrlichen Fehler jedes Laufs messen, wenn er beendet ist</translation>
    </message>
    <message>
      <source>Measure the honest error of this run</source>
      <translation>Den ehrlichen Fehler dieses Laufs messen</translation>
    </message>
    <message>
      <source>Measure the honest error when the run has finished</source>
      <translation>Den ehrlichen Fehler messen, wenn der Lauf beendet ist</translation>
    </message>
    <message>
      <source>Measure the other folds (about {time})</source>
      <translation>Die anderen Folds messen (etwa {time})</translation>
    </message>
    <message>
      <source>Measure this subset on fresh folds</source>
      <translation>Diese Teilmenge auf neuen Folds messen</translation>
    </message>
    <message>
      <source>Measure w every so many steps</source>
      <translation>w alle so viele Schritte messen</translation>
    </message>
    <message>
      <source>Measure …</source>
      <translation>Messen …</translation>
    </message>
    <message>
      <source>Measured</source>
      <translation>Gemessen</translation>
    </message>
    <message>
      <source>Measured as {criterion}: it has another axis.</source>
      <translation>Gemessen als {criterion}: Das hat eine andere Achse.</translation>
    </message>
    <message>
      <source>Measurement</source>
      <translation>Messung</translation>
    </message>
    <message>
      <source>Measurements</source>
      <translation>Messungen</translation>
    </message>
    <message>
      <source>Measurements of a finalist</source>
      <translation>Messungen eines Finalisten</translation>
    </message>
    <message>
      <source>Measurements of a last finalist</source>
      <translation>Messungen eines letzten Finalisten</translation>
    </message>
    <message>
      <source>Measurements taken</source>
      <translation>Gemachte Messungen</translation>
    </message>
    <message>
      <source>Measurements, at most</source>
      <translation>Messungen, höchstens</translation>
    </message>
    <message>
      <source>Measures all subsets of one step on the same random folds (common random numbers), so that they differ by their features and not by the luck of the folds.</source>
      <translation>Misst alle Teilmengen eines Schritts auf denselben zufälligen Folds (gemeinsame Zufallszahlen), damit sie sich durch ihre Merkmale und nicht durch das Glück der Folds unterscheiden.</translation>
    </message>
    <message>
      <source>Measures every subset of at most 20 features, up to a million, or every small subset of more, all on the same folds: slow and sure.</source>
      <translation>Misst jede Teilmenge von höchstens 20 Merkmalen, bis zu einer Million, oder jede kleine Teilmenge von mehr, alle auf denselben Folds: langsam und sicher.</translation>
    </message>
    <message>
      <source>Measures no more repeats once the standard error of a measurement is below this; 0 takes all repeats.</source>
      <translation>Misst keine weiteren Wiederholungen, sobald der Standardfehler einer Messung darunter liegt; 0 nimmt alle.</translation>
    </message>
    <message>
      <source>Measures the elite anew in every generation, so that a subset that was only lucky once does not stay on top; costs as many more measurements.</source>
      <translation>Misst die Elite in jeder Generation neu, damit eine Teilmenge, die nur einmal Glück hatte, nicht oben bleibt; kostet entsprechend mehr Messungen.</translation>
    </message>
    <message>
      <source>Measuring</source>
      <translation>Messen</translation>
    </message>
    <message>
      <source>Measuring how long one takes …</source>
      <translation>Es wird gemessen, wie lange eine dauert …</translation>
    </message>
    <message>
      <source>Memory: {window} for the window, {workers} for all workers; {free} of this computer are free.</source>
      <translation>Speicher: {window} für das Fenster, {workers} für alle Arbeitsprozesse; {free} dieses Computers sind frei.</translation>
    </message>
    <message>
      <source>Menu key or Shift+F10</source>
      <translation>Menütaste oder Umschalt+F10</translation>
    </message>
    <message>
      <source>Method</source>
      <translation>Verfahren</translation>
    </message>
    <message>
      <source>Method, model and measuring as they are now, under a name of your own in the list of presets.</source>
      <translation>Verfahren, Modell und Messen, wie sie jetzt sind, unter einem eigenen Namen in der Liste der Vorgaben.</translation>
    </message>
    <message>
      <source>Methods</source>
      <translation>Verfahren</translation>
    </message>
    <message>
      <source>Methods and runs side by side</source>
      <translation>Verfahren und Läufe nebeneinander</translation>
    </message>
    <message>
      <source>Methods paragraph</source>
      <translation>Methodenabsatz</translation>
    </message>
    <message>
      <source>Methods that hold rows out themselves bring their own; other searches are repeated in each fold.</source>
      <translation>Methoden, die selbst Zeilen zurückhalten, bringen ihren eigenen mit; andere Suchen werden in jedem Fold wiederholt.</translation>
    </message>
    <message>
      <source>Methods, models and seeds, each with each</source>
      <translation>Verfahren, Modelle und Startwerte, jeder mit jedem</translation>
    </message>
    <message>
      <source>Missing</source>
      <translation>Fehlend</translation>
    </message>
    <message>
      <source>Missing values</source>
      <translation>Fehlende Werte</translation>
    </message>
    <message>
      <source>Missing values, {caption}</source>
      <translation>Fehlende Werte, {caption}</translation>
    </message>
    <message>
      <source>Model</source>
      <translation>Modell</translation>
    </message>
    <message>
      <source>Models</source>
      <translation>Modelle</translation>
    </message>
    <message>
      <source>More</source>
      <translation>Mehr</translation>
    </message>
    <message>
      <source>Most features</source>
      <translation>Meiste Merkmale</translation>
    </message>
    <message>
      <source>Moves all feature weights at once along a gradient that is guessed from two noisy measurements.</source>
      <translation>Bewegt alle Gewichte der Merkmale zugleich entlang eines Gradienten, der aus zwei verrauschten Messungen geschätzt wird.</translation>
    </message>
    <message>
      <source>Moves all feature weights at once along a guessed slope, as BSPSA does, and also guesses the curvature from two more measurements, to step far where the loss is flat and a little where it bends.</source>
      <translation>Bewegt alle Gewichte der Merkmale zugleich entlang einer geschätzten Steigung, wie BSPSA, und schätzt mit zwei weiteren Messungen auch die Krümmung, um weit zu gehen, wo der Verlust flach ist, und wenig, wo er sich biegt.</translation>
    </message>
    <message>
      <source>Moves all feature weights at once along an averaged slope, and learns the size of its steps from the last two; it can look for a given number of features.</source>
      <translation>Bewegt alle Gewichte der Merkmale zugleich entlang einer gemittelten Steigung und lernt die Schrittweite aus den letzten beiden Schritten; kann nach einer vorgegebenen Anzahl von Merkmalen suchen.</translation>
    </message>
    <message>
      <source>Moves all feature weights at once like BSPSA, but feels the slope with pushes that are tiny and shrink; it is here for comparison, for after a few steps most pushes no longer change the subset.</source>
      <translation>Bewegt alle Gewichte der Merkmale zugleich wie BSPSA, ertastet die Steigung aber mit winzigen, schrumpfenden Stößen; zum Vergleich da, denn nach wenigen Schritten ändern die meisten Stöße die Teilmenge nicht mehr.</translation>
    </message>
    <message>
      <source>Moves, at most</source>
      <translation>Züge, höchstens</translation>
    </message>
    <message>
      <source>Moving average</source>
      <translation>Gleitender Mittelwert</translation>
    </message>
    <message>
      <source>Mutation probability</source>
      <translation>Mutationswahrscheinlichkeit</translation>
    </message>
    <message>
      <source>Mutual information</source>
      <translation>Transinformation</translation>
    </message>
    <message>
      <source>Mutual information with the target in nats, from all rows: 0 is none; it sees any dependence</source>
      <translation>Transinformation mit der Zielgröße in Nat, aus allen Zeilen: 0 ist keine; sie sieht jede Abhängigkeit</translation>
    </message>
    <message>
      <source>My preset {number}</source>
      <translation>Meine Vorgabe {number}</translation>
    </message>
    <message>
      <source>Naive Bayes</source>
      <translation>Naive Bayes</translation>
    </message>
    <message>
      <source>Name a data set of OpenML by its name or its number.</source>
      <translation>Nennen Sie einen Datensatz von OpenML mit Namen oder Nummer.</translation>
    </message>
    <message>
      <source>Name of a class of scikit-learn, such as RandomForestClassifier or GradientBoostingRegressor.</source>
      <translation>Name einer Klasse von scikit-learn, etwa RandomForestClassifier oder GradientBoostingRegressor.</translation>
    </message>
    <message>
      <source>Name of the Excel sheet; empty for the first one.</source>
      <translation>Name des Blattes in Excel; leer für das erste.</translation>
    </message>
    <message>
      <source>Name of the preset</source>
      <translation>Name der Vorgabe</translation>
    </message>
    <message>
      <source>Name of the run</source>
      <translation>Name des Laufs</translation>
    </message>
    <message>
      <source>Name or number of the data set</source>
      <translation>Name oder Nummer des Datensatzes</translation>
    </message>
    <message>
      <source>Name or number, such as iris or 61</source>
      <translation>Name oder Nummer, etwa iris oder 61</translation>
    </message>
    <message>
      <source>Name that stands beside the signature</source>
      <translation>Name, der neben der Unterschrift steht</translation>
    </message>
    <message>
      <source>Names</source>
      <translation>Namen</translation>
    </message>
    <message>
      <source>Names of the selected features, one a line</source>
      <translation>Namen der gewählten Merkmale, einer je Zeile</translation>
    </message>
    <message>
      <source>Nearer rows count more</source>
      <translation>Nähere Zeilen zählen mehr</translation>
    </message>
    <message>
      <source>Nearest neighbours</source>
      <translation>Nächste Nachbarn</translation>
    </message>
    <message>
      <source>Neighbours</source>
      <translation>Nachbarn</translation>
    </message>
    <message>
      <source>Neighbours k</source>
      <translation>Nachbarn k</translation>
    </message>
    <message>
      <source>Never in</source>
      <translation>Nie drin</translation>
    </message>
    <message>
      <source>Never in from now</source>
      <translation>Ab jetzt nie drin</translation>
    </message>
    <message>
      <source>Never in from now on</source>
      <translation>Ab jetzt nie drin</translation>
    </message>
    <message>
      <source>New random folds for every measurement, or the same for all, which compares more sharply but learns those folds by heart.</source>
      <translation>Neue zufällige Folds für jede Messung oder dieselben für alle, was schärfer vergleicht, aber diese Folds auswendig lernt.</translation>
    </message>
    <message>
      <source>Newest</source>
      <translation>Neueste</translation>
    </message>
    <message>
      <source>Next</source>
      <translation>Weiter</translation>
    </message>
    <message>
      <source>No</source>
      <translation>Nein</translation>
    </message>
    <message>
      <source>No better than chance</source>
      <translation>Nicht besser als Zufall</translation>
    </message>
    <message>
      <source>No better than chance: {criterion} on rows that no search saw is {value} (95 % interval {interval}), and {chance} for a guess that looks at no feature.</source>
      <translation>Nicht besser als Zufall: {criterion} auf Zeilen, die keine Suche sah: {value} (95-%-Intervall {interval}), und {chance}, wenn man rät, ohne ein Merkmal anzusehen.</translation>
    </message>
    <message>
      <source>No column is called so.</source>
      <translation>Keine Spalte heißt so.</translation>
    </message>
    <message>
      <source>No data yet</source>
      <translation>Noch keine Daten</translation>
    </message>
    <message>
      <source>No direction counts as flatter than this, so that noise cannot make a step endless; at 1 no step is longer than one of BSPSA.</source>
      <translation>Keine Richtung gilt als flacher als dies, damit Rauschen keinen Schritt endlos machen kann; bei 1 ist kein Schritt länger als einer von BSPSA.</translation>
    </message>
    <message>
      <source>No feature is called so.</source>
      <translation>Kein Merkmal heißt so.</translation>
    </message>
    <message>
      <source>No feature is left to choose among: leave some out of the lists always in and never in.</source>
      <translation>Es bleibt kein Merkmal zur Wahl: Nehmen Sie einige aus den Listen „immer dabei“ und „nie dabei“.</translation>
    </message>
    <message>
      <source>No feature is named in this column, such as {feature}: choose another column, or another file.</source>
      <translation>Diese Spalte nennt kein Merkmal, wie etwa {feature}: Wählen Sie eine andere Spalte oder eine andere Datei.</translation>
    </message>
    <message>
      <source>No name, description or note holds what you search for.</source>
      <translation>Kein Name, keine Beschreibung und keine Notiz enthält das Gesuchte.</translation>
    </message>
    <message>
      <source>No other feature with numbers is selected.</source>
      <translation>Kein anderes Merkmal mit Zahlen ist gewählt.</translation>
    </message>
    <message>
      <source>No other of the {measured} subsets that were measured comes within one standard error of the answer ({limit}).</source>
      <translation>Keine andere der {measured} gemessenen Teilmengen liegt innerhalb eines Standardfehlers der Antwort ({limit}).</translation>
    </message>
    <message>
      <source>No other subset was measured.</source>
      <translation>Keine andere Teilmenge wurde gemessen.</translation>
    </message>
    <message>
      <source>No program of this computer shows it: it is at "{path}".</source>
      <translation>Kein Programm dieses Rechners zeigt es: Es liegt unter „{path}“.</translation>
    </message>
    <message>
      <source>No project yet: the first run makes one, and every step is kept.</source>
      <translation>Noch kein Projekt: Der erste Lauf legt eines an, und jeder Schritt bleibt erhalten.</translation>
    </message>
    <message>
      <source>No row of "{name}" has a value in "{name2}", the target: there is nothing to test on.</source>
      <translation>Keine Zeile von „{name}“ hat einen Wert in „{name2}“, der Zielgröße: Es gibt nichts zu prüfen.</translation>
    </message>
    <message>
      <source>No run fits what you search for.</source>
      <translation>Kein Lauf passt zu dem, was Sie suchen.</translation>
    </message>
    <message>
      <source>No run has found a subset yet: let one run for a moment.</source>
      <translation>Noch kein Lauf hat eine Teilmenge gefunden: Lassen Sie einen kurz laufen.</translation>
    </message>
    <message>
      <source>No run yet</source>
      <translation>Noch kein Lauf</translation>
    </message>
    <message>
      <source>No run yet: choose what to predict, press Run, and what the search finds will be explained here.</source>
      <translation>Noch kein Lauf: Wählen Sie, was vorhergesagt werden soll, drücken Sie Start, und was die Suche findet, wird hier erklärt.</translation>
    </message>
    <message>
      <source>No step uses a larger gain than this.</source>
      <translation>Kein Schritt verwendet eine größere Schrittweite.</translation>
    </message>
    <message>
      <source>No subset could be measured: {why}</source>
      <translation>Keine Teilmenge konnte gemessen werden: {why}</translation>
    </message>
    <message>
      <source>No targets can be exchanged: each group or fold has one target, so there is nothing to shuffle.</source>
      <translation>Keine Zielwerte lassen sich vertauschen: Jede Gruppe oder jeder Teil hat nur einen Zielwert, es gibt also nichts zu mischen.</translation>
    </message>
    <message>
      <source>No weight moves by more than this in one step.</source>
      <translation>Kein Gewicht bewegt sich in einem Schritt um mehr.</translation>
    </message>
    <message>
      <source>No, as BSPSA</source>
      <translation>Nein, wie BSPSA</translation>
    </message>
    <message>
      <source>No, search all</source>
      <translation>Nein, alle durchsuchen</translation>
    </message>
    <message>
      <source>Noisy mixtures of two of three triangular waves: 1,000 rows by the formula of Breiman et al. (1984).</source>
      <translation>Verrauschte Mischungen zweier von drei Dreieckswellen: 1.000 Zeilen nach der Formel von Breiman et al. (1984).</translation>
    </message>
    <message>
      <source>None</source>
      <translation>Keine</translation>
    </message>
    <message>
      <source>None of the features to start with can be chosen: give others.</source>
      <translation>Keines der Merkmale, mit denen begonnen werden soll, ist wählbar: Geben Sie andere an.</translation>
    </message>
    <message>
      <source>None, use the values as they are</source>
      <translation>Keine, Werte wie sie sind</translation>
    </message>
    <message>
      <source>Not everything in it fits:</source>
      <translation>Nicht alles darin passt:</translation>
    </message>
    <message>
      <source>Not measured: choose Measure the honest error in the menu Run on the Search page.</source>
      <translation>Nicht gemessen: Wählen Sie auf der Seite Suche im Menü Start „Ehrlichen Fehler messen“.</translation>
    </message>
    <message>
      <source>Not now</source>
      <translation>Nicht jetzt</translation>
    </message>
    <message>
      <source>Not tried: {names}.</source>
      <translation>Nicht versucht: {names}.</translation>
    </message>
    <message>
      <source>Not tried: {names}. A search is left out where the others err on one held-out row at most, and where it would not end in the time and measurements allowed.</source>
      <translation>Nicht versucht: {names}. Eine Suche entfällt, wo die anderen sich bei höchstens einer zurückgehaltenen Zeile irren, und wo Zeit oder Messungen dafür nicht reichen.</translation>
    </message>
    <message>
      <source>Note</source>
      <translation>Notiz</translation>
    </message>
    <message>
      <source>Nothing is lost: the project is kept as "{path}" and found under Recent.</source>
      <translation>Nichts geht verloren: Das Projekt bleibt als „{path}“ erhalten und steht unter „Zuletzt geöffnet“.</translation>
    </message>
    <message>
      <source>Nothing is measured on fresh folds yet: press Look closer.</source>
      <translation>Auf neuen Folds ist noch nichts gemessen: Drücken Sie „Genauer ansehen“.</translation>
    </message>
    <message>
      <source>Nothing of this run is measured yet: every step of it will be drawn here.</source>
      <translation>Von diesem Lauf ist noch nichts gemessen: Hier wird jeder seiner Schritte gezeichnet.</translation>
    </message>
    <message>
      <source>Nothing unusual was found: the table can be searched.</source>
      <translation>Nichts Ungewöhnliches wurde gefunden: Die Tabelle kann durchsucht werden.</translation>
    </message>
    <message>
      <source>Nothing was chosen here, so the error of the whole table is no more optimistic than this.</source>
      <translation>Hier wurde nichts ausgewählt, deshalb ist der Fehler der ganzen Tabelle nicht optimistischer als dieser.</translation>
    </message>
    <message>
      <source>Nothing was selected here, so no search has made these numbers too good.</source>
      <translation>Hier wurde nichts ausgewählt, also hat keine Suche diese Zahlen geschönt.</translation>
    </message>
    <message>
      <source>Number of features</source>
      <translation>Anzahl der Merkmale</translation>
    </message>
    <message>
      <source>Numbers</source>
      <translation>Zahlen</translation>
    </message>
    <message>
      <source>Numbers (CSV) …</source>
      <translation>Zahlen (CSV) …</translation>
    </message>
    <message>
      <source>Numbers are rows of the table: the mean of the repeats, on fresh folds.</source>
      <translation>Zahlen sind Zeilen der Tabelle: das Mittel der Wiederholungen, auf neuen Folds.</translation>
    </message>
    <message>
      <source>Numbers are rows of the table: the mean of the repeats, on the folds of the search.</source>
      <translation>Zahlen sind Zeilen der Tabelle: das Mittel der Wiederholungen, auf den Folds der Suche.</translation>
    </message>
    <message>
      <source>On fresh folds</source>
      <translation>Auf neuen Folds</translation>
    </message>
    <message>
      <source>On fresh folds, beside all features; needs a model that gives scores</source>
      <translation>Auf neuen Folds, neben allen Merkmalen; braucht ein Modell mit Punktwerten</translation>
    </message>
    <message>
      <source>On fresh folds, beside all features; needs a target of classes</source>
      <translation>Auf neuen Folds, neben allen Merkmalen; braucht Klassen als Ziel</translation>
    </message>
    <message>
      <source>On fresh folds; bands are one standard deviation over the repeats.</source>
      <translation>Auf neuen Folds; Bänder sind eine Standardabweichung über die Wiederholungen.</translation>
    </message>
    <message>
      <source>On the folds of the search; bands are one standard deviation over the repeats.</source>
      <translation>Auf den Folds der Suche; Bänder sind eine Standardabweichung über die Wiederholungen.</translation>
    </message>
    <message>
      <source>On the rows that chose the features, hence too good: {criterion} {found} in the search, {fresh} on fresh folds; all features {everything}.</source>
      <translation>Auf den Zeilen, nach denen die Merkmale gewählt wurden, also zu gut: {criterion} {found} in der Suche, {fresh} auf neuen Folds; alle Merkmale {everything}.</translation>
    </message>
    <message>
      <source>On the rows that chose the features, hence too good: {criterion} {found} in the search; all features {everything}.</source>
      <translation>Auf den Zeilen, nach denen die Merkmale gewählt wurden, also zu gut: {criterion} {found} in der Suche; alle Merkmale {everything}.</translation>
    </message>
    <message>
      <source>On the rows that chose the features, hence too good: {criterion} {values}.</source>
      <translation>Auf den Zeilen, nach denen die Merkmale gewählt wurden, also zu gut: {criterion} {values}.</translation>
    </message>
    <message>
      <source>On the rows that chose the features, hence too good: {criterion} {values}; all features {everything}.</source>
      <translation>Auf den Zeilen, nach denen die Merkmale gewählt wurden, also zu gut: {criterion} {values}; alle Merkmale {everything}.</translation>
    </message>
    <message>
      <source>On unseen rows</source>
      <translation>Auf ungesehenen Zeilen</translation>
    </message>
    <message>
      <source>Once a run has found a subset, its features are drawn here beside those of other runs.</source>
      <translation>Sobald ein Lauf eine Teilmenge gefunden hat, stehen seine Merkmale hier neben denen anderer Läufe.</translation>
    </message>
    <message>
      <source>Once, over all rows (faster)</source>
      <translation>Einmal, über alle Zeilen (schneller)</translation>
    </message>
    <message>
      <source>One column of 0 and 1 for each.</source>
      <translation>Je Kategorie eine Spalte aus 0 und 1.</translation>
    </message>
    <message>
      <source>One measurement, as in the paper's tables.</source>
      <translation>Eine Messung, wie in den Tabellen des Artikels.</translation>
    </message>
    <message>
      <source>One of them measures all features, to compare with.</source>
      <translation>Eine davon misst alle Merkmale, zum Vergleich.</translation>
    </message>
    <message>
      <source>One row for each feature that any run selected, one column for each run.</source>
      <translation>Eine Zeile für jedes Merkmal, das ein Lauf gewählt hat, eine Spalte für jeden Lauf.</translation>
    </message>
    <message>
      <source>One row for each feature, one column for each step: dark for out, yellow for in.</source>
      <translation>Eine Zeile für jedes Merkmal, eine Spalte für jeden Schritt: dunkel für draußen, gelb für drin.</translation>
    </message>
    <message>
      <source>One row for each feature; time goes to the right.</source>
      <translation>Eine Zeile für jedes Merkmal; die Zeit läuft nach rechts.</translation>
    </message>
    <message>
      <source>One run is in the queue.</source>
      <translation>Ein Lauf ist in der Warteschlange.</translation>
    </message>
    <message>
      <source>Only features whose q value is no larger are taken, the best one where there is none: of those taken, this share at most is expected to have nothing to do with the target. 1 sets no limit.</source>
      <translation>Genommen werden nur Merkmale, deren q-Wert nicht größer ist; gibt es keines, das beste. Von den genommenen hat erwartungsgemäß höchstens dieser Anteil nichts mit der Zielgröße zu tun. 1 setzt keine Grenze.</translation>
    </message>
    <message>
      <source>Only files of this computer can be dropped: download it first.</source>
      <translation>Nur Dateien dieses Computers können hergezogen werden: Laden Sie die Datei zuerst herunter.</translation>
    </message>
    <message>
      <source>Only the sizes 1, 2, 4, 8, ... by the F statistic: a first look at a very wide table.</source>
      <translation>Nur die Größen 1, 2, 4, 8, ... nach der F-Statistik: ein erster Blick auf eine sehr breite Tabelle.</translation>
    </message>
    <message>
      <source>Only where they would be known of a new sample before its class is.</source>
      <translation>Nur wenn sie bei einer neuen Probe vor deren Klasse bekannt wären.</translation>
    </message>
    <message>
      <source>Open</source>
      <translation>Öffnen</translation>
    </message>
    <message>
      <source>Open "{name}"</source>
      <translation>„{name}“ öffnen</translation>
    </message>
    <message>
      <source>Open &amp;recent</source>
      <translation>&amp;Zuletzt geöffnet</translation>
    </message>
    <message>
      <source>Open a copy</source>
      <translation>Kopie öffnen</translation>
    </message>
    <message>
      <source>Open a data set of OpenML by its name or number</source>
      <translation>Einen Datensatz von OpenML mit seinem Namen oder seiner Nummer öffnen</translation>
    </message>
    <message>
      <source>Open a sa&amp;mple</source>
      <translation>Be&amp;ispiel öffnen</translation>
    </message>
    <message>
      <source>Open a table or a project</source>
      <translation>Eine Tabelle oder ein Projekt öffnen</translation>
    </message>
    <message>
      <source>Open a table or project …</source>
      <translation>Tabelle oder Projekt öffnen …</translation>
    </message>
    <message>
      <source>Open a table, press Run, watch a search find the columns that predict best, take the list home.</source>
      <translation>Öffnen Sie eine Tabelle, drücken Sie Start, sehen Sie der Suche nach den besten Spalten zu und nehmen Sie die Liste mit.</translation>
    </message>
    <message>
      <source>Open from OpenML</source>
      <translation>Von OpenML öffnen</translation>
    </message>
    <message>
      <source>Open in another window ({who}). Read only: what happens there is shown here.</source>
      <translation>In einem anderen Fenster offen ({who}). Nur lesbar: Was dort geschieht, ist hier zu sehen.</translation>
    </message>
    <message>
      <source>Open it again</source>
      <translation>Wieder öffnen</translation>
    </message>
    <message>
      <source>Open the page where versions are published</source>
      <translation>Die Seite öffnen, auf der Versionen veröffentlicht werden</translation>
    </message>
    <message>
      <source>OpenML answers with error {code}; try again later.</source>
      <translation>OpenML antwortet mit dem Fehler {code}; versuchen Sie es später noch einmal.</translation>
    </message>
    <message>
      <source>OpenML cannot be reached ({detail}); {offline}.</source>
      <translation>OpenML ist nicht zu erreichen ({detail}); {offline}.</translation>
    </message>
    <message>
      <source>OpenML does not answer as it should for the {what}; try again later.</source>
      <translation>OpenML antwortet nicht, wie es sollte ({what}); versuchen Sie es später noch einmal.</translation>
    </message>
    <message>
      <source>OpenML gives no table for the number "{number}"; choose another data set.</source>
      <translation>OpenML hat keine Tabelle mit der Nummer „{number}“; wählen Sie einen anderen Datensatz.</translation>
    </message>
    <message>
      <source>OpenML has more than one data set called "{wanted}"; number {number} was taken, so give a number where another one is meant.</source>
      <translation>OpenML hat mehrere Datensätze namens „{wanted}“; genommen wurde Nummer {number}. Ist ein anderer gemeint, geben Sie seine Nummer an.</translation>
    </message>
    <message>
      <source>OpenML has no data set of the {what}; look it up at www.openml.org.</source>
      <translation>OpenML hat keinen solchen Datensatz ({what}); suchen Sie ihn auf www.openml.org.</translation>
    </message>
    <message>
      <source>OpenML keeps thousands of public data sets; find them at www.openml.org. What you open is downloaded once and kept on this computer.</source>
      <translation>OpenML bewahrt Tausende öffentlicher Datensätze auf; zu finden unter www.openml.org. Was Sie öffnen, wird einmal heruntergeladen und bleibt auf diesem Computer.</translation>
    </message>
    <message>
      <source>Or try a sample</source>
      <translation>Oder nehmen Sie ein Beispiel</translation>
    </message>
    <message>
      <source>Orange</source>
      <translation>Orange</translation>
    </message>
    <message>
      <source>Order by weight, of equal weights by frequency</source>
      <translation>Nach Gewicht geordnet, bei gleichem Gewicht nach Häufigkeit</translation>
    </message>
    <message>
      <source>Order of the features</source>
      <translation>Reihenfolge der Merkmale</translation>
    </message>
    <message>
      <source>Order of the features from top to bottom</source>
      <translation>Reihenfolge der Merkmale von oben nach unten</translation>
    </message>
    <message>
      <source>Order of the runs</source>
      <translation>Reihenfolge der Läufe</translation>
    </message>
    <message>
      <source>Other than the answer</source>
      <translation>Unterschied</translation>
    </message>
    <message>
      <source>Other ways to search a small table: lower errors in the search, not always on new rows.</source>
      <translation>Andere Wege, eine kleine Tabelle zu durchsuchen: kleinere Fehler in der Suche, nicht immer auf neuen Zeilen.</translation>
    </message>
    <message>
      <source>Outer folds</source>
      <translation>Äußere Folds</translation>
    </message>
    <message>
      <source>Package</source>
      <translation>Paket</translation>
    </message>
    <message>
      <source>Pages of the help</source>
      <translation>Seiten der Hilfe</translation>
    </message>
    <message>
      <source>Parameters</source>
      <translation>Parameter</translation>
    </message>
    <message>
      <source>Parameters of the class as in Python, such as "n_estimators=50, max_depth=3"; a model in another one: "estimator=SVC(C=2)".</source>
      <translation>Parameter der Klasse wie in Python, etwa "n_estimators=50, max_depth=3"; ein Modell in einem anderen: "estimator=SVC(C=2)".</translation>
    </message>
    <message>
      <source>Parquet needs the library pyarrow: install it with: pip install "fsdesk[formats]", and export again.</source>
      <translation>Parquet braucht die Bibliothek pyarrow: Installieren Sie sie mit: pip install "fsdesk[formats]", und exportieren Sie noch einmal.</translation>
    </message>
    <message>
      <source>Parsimonious</source>
      <translation>Sparsam</translation>
    </message>
    <message>
      <source>Part of the file</source>
      <translation>Teil der Datei</translation>
    </message>
    <message>
      <source>Particle swarm</source>
      <translation>Partikelschwarm</translation>
    </message>
    <message>
      <source>Particles</source>
      <translation>Partikel</translation>
    </message>
    <message>
      <source>Parts held out</source>
      <translation>Zurückgehaltene Teile</translation>
    </message>
    <message>
      <source>Pause</source>
      <translation>Pause</translation>
    </message>
    <message>
      <source>Pause the run</source>
      <translation>Den Lauf anhalten</translation>
    </message>
    <message>
      <source>Pause the run; go on with one that is paused or was stopped</source>
      <translation>Den Lauf anhalten; einen angehaltenen oder gestoppten fortsetzen</translation>
    </message>
    <message>
      <source>Penalty alpha</source>
      <translation>Strafe alpha</translation>
    </message>
    <message>
      <source>Penalty on size</source>
      <translation>Strafe für Größe</translation>
    </message>
    <message>
      <source>Persistence rho</source>
      <translation>Beständigkeit rho</translation>
    </message>
    <message>
      <source>Perturbation c</source>
      <translation>Störung c</translation>
    </message>
    <message>
      <source>Picture for print (PDF) …</source>
      <translation>Bild für den Druck (PDF) …</translation>
    </message>
    <message>
      <source>Picture for slides (PNG) …</source>
      <translation>Bild für Folien (PNG) …</translation>
    </message>
    <message>
      <source>Picture, 300 dots per inch (*.png)</source>
      <translation>Bild, 300 Punkte je Zoll (*.png)</translation>
    </message>
    <message>
      <source>Pin or ban features, or let the run take more, while it is under way</source>
      <translation>Merkmale festhalten oder ausschließen oder dem Lauf mehr erlauben, während er arbeitet</translation>
    </message>
    <message>
      <source>Pin {name} to the top</source>
      <translation>{name} oben anheften</translation>
    </message>
    <message>
      <source>Point (1.5)</source>
      <translation>Punkt (1.5)</translation>
    </message>
    <message>
      <source>Population</source>
      <translation>Population</translation>
    </message>
    <message>
      <source>Power of pheromone</source>
      <translation>Potenz des Pheromons</translation>
    </message>
    <message>
      <source>Power of the guide</source>
      <translation>Potenz des Wegweisers</translation>
    </message>
    <message>
      <source>Predicted</source>
      <translation>Vorhergesagt</translation>
    </message>
    <message>
      <source>Predicted against observed values</source>
      <translation>Vorhergesagte gegen beobachtete Werte</translation>
    </message>
    <message>
      <source>Prefer</source>
      <translation>Bevorzugt</translation>
    </message>
    <message>
      <source>Preparing the data …</source>
      <translation>Die Daten werden vorbereitet …</translation>
    </message>
    <message>
      <source>Preset</source>
      <translation>Vorgabe</translation>
    </message>
    <message>
      <source>Preset of the method</source>
      <translation>Vorgabe des Verfahrens</translation>
    </message>
    <message>
      <source>Preset {name}</source>
      <translation>Vorgabe {name}</translation>
    </message>
    <message>
      <source>Presets</source>
      <translation>Vorgaben</translation>
    </message>
    <message>
      <source>Presets: only what you choose from lists. Common: what is often changed. All: every setting there is.</source>
      <translation>Vorgaben: nur was Sie aus Listen wählen. Übliche: was oft geändert wird. Alle: jede Einstellung, die es gibt.</translation>
    </message>
    <message>
      <source>Press Run (F5): every step of the search will be drawn here.</source>
      <translation>Drücken Sie Start (F5): Jeder Schritt der Suche wird hier gezeichnet.</translation>
    </message>
    <message>
      <source>Press a button, tick a box</source>
      <translation>Knopf drücken, Kästchen anhaken</translation>
    </message>
    <message>
      <source>Progress of the download</source>
      <translation>Fortschritt des Herunterladens</translation>
    </message>
    <message>
      <source>Progress of the run</source>
      <translation>Fortschritt des Laufs</translation>
    </message>
    <message>
      <source>Project</source>
      <translation>Projekt</translation>
    </message>
    <message>
      <source>Prune</source>
      <translation>Beschneiden</translation>
    </message>
    <message>
      <source>Pruning confidence</source>
      <translation>Konfidenz beim Beschneiden</translation>
    </message>
    <message>
      <source>Pull of its own best</source>
      <translation>Zug zum eigenen Besten</translation>
    </message>
    <message>
      <source>Pull of the swarm's best</source>
      <translation>Zug zum Besten des Schwarms</translation>
    </message>
    <message>
      <source>Purple</source>
      <translation>Violett</translation>
    </message>
    <message>
      <source>Python script</source>
      <translation>Python-Skript</translation>
    </message>
    <message>
      <source>Queue</source>
      <translation>Einreihen</translation>
    </message>
    <message>
      <source>Queue &amp;many runs …</source>
      <translation>&amp;Viele Läufe einreihen …</translation>
    </message>
    <message>
      <source>Queue many runs</source>
      <translation>Viele Läufe einreihen</translation>
    </message>
    <message>
      <source>Queue many runs: methods, models and seeds</source>
      <translation>Viele Läufe einreihen: Verfahren, Modelle und Startwerte</translation>
    </message>
    <message>
      <source>Quick ones</source>
      <translation>Schnelle</translation>
    </message>
    <message>
      <source>R2</source>
      <translation>R2</translation>
    </message>
    <message>
      <source>RFE</source>
      <translation>RFE</translation>
    </message>
    <message>
      <source>RMSE</source>
      <translation>RMSE</translation>
    </message>
    <message>
      <source>ROC</source>
      <translation>ROC</translation>
    </message>
    <message>
      <source>ROC curve of the subset and of all features</source>
      <translation>ROC-Kurve der Teilmenge und aller Merkmale</translation>
    </message>
    <message>
      <source>ROC curves</source>
      <translation>ROC-Kurven</translation>
    </message>
    <message>
      <source>Random state of the outer folds</source>
      <translation>Zufallszustand der äußeren Folds</translation>
    </message>
    <message>
      <source>Random subsets</source>
      <translation>Zufällige Teilmengen</translation>
    </message>
    <message>
      <source>Range</source>
      <translation>Spannweite</translation>
    </message>
    <message>
      <source>Rank</source>
      <translation>Rang</translation>
    </message>
    <message>
      <source>Ranking</source>
      <translation>Rangfolge</translation>
    </message>
    <message>
      <source>Ranks each feature by itself with a statistic, then measures the best 1, 2, 4, 8, ... of them to see how many are worth taking.</source>
      <translation>Ordnet die Merkmale einzeln nach einer Statistik und misst dann die besten 1, 2, 4, 8, ... davon, um zu sehen, wie viele sich lohnen.</translation>
    </message>
    <message>
      <source>Ranks each feature by itself with the F statistic; how many to take is told by rows held out, and by a false discovery rate where that is wanted.</source>
      <translation>Ordnet jedes Merkmal für sich nach der F-Statistik; wie viele genommen werden, sagen zurückgehaltene Zeilen, und auf Wunsch eine Falscherkennungsrate.</translation>
    </message>
    <message>
      <source>Ranks features by how they differ between near rows of different classes, so that features that help only together can be found; how many to take is told by rows held out.</source>
      <translation>Ordnet Merkmale danach, wie sie sich zwischen nahen Zeilen verschiedener Klassen unterscheiden, so dass auch Merkmale gefunden werden, die nur gemeinsam helfen; wie viele genommen werden, sagen zurückgehaltene Zeilen.</translation>
    </message>
    <message>
      <source>Ranks features by their importance in extremely randomised trees; how many to take is told by rows held out, and by shadow features where these are wanted.</source>
      <translation>Ordnet Merkmale nach ihrer Wichtigkeit in extrem zufälligen Bäumen; wie viele genommen werden, sagen zurückgehaltene Zeilen, und auf Wunsch Schattenmerkmale.</translation>
    </message>
    <message>
      <source>Ranks features by what they tell of the target, divided by how much they repeat what is taken already; how many to take is told by rows held out.</source>
      <translation>Ordnet Merkmale nach dem, was sie über das Ziel sagen, geteilt durch das, was sie von schon genommenen wiederholen; wie viele genommen werden, sagen zurückgehaltene Zeilen.</translation>
    </message>
    <message>
      <source>Read again</source>
      <translation>Neu lesen</translation>
    </message>
    <message>
      <source>Read from sheet "{sheet}"; there is also {others}.</source>
      <translation>Gelesen wurde Blatt „{sheet}“; es gibt auch {others}.</translation>
    </message>
    <message>
      <source>Read the file again, as when it has changed</source>
      <translation>Liest die Datei noch einmal, etwa wenn sie sich geändert hat</translation>
    </message>
    <message>
      <source>Read the file again, as when it has changed.</source>
      <translation>Liest die Datei noch einmal, etwa wenn sie sich geändert hat.</translation>
    </message>
    <message>
      <source>Read this table of the file instead.</source>
      <translation>Stattdessen diese Tabelle der Datei lesen.</translation>
    </message>
    <message>
      <source>Reading the file</source>
      <translation>Lesen der Datei</translation>
    </message>
    <message>
      <source>Reading the versions …</source>
      <translation>Versionen werden gelesen …</translation>
    </message>
    <message>
      <source>Reads table.csv, trains the model, prints its score, without fsdesk</source>
      <translation>Liest table.csv, trainiert das Modell, gibt sein Ergebnis aus, ohne fsdesk</translation>
    </message>
    <message>
      <source>Ready to paste into a paper: what was done, with all numbers and citations</source>
      <translation>Fertig für einen Artikel: was getan wurde, mit allen Zahlen und Zitaten</translation>
    </message>
    <message>
      <source>Recent</source>
      <translation>Zuletzt geöffnet</translation>
    </message>
    <message>
      <source>Reduced table</source>
      <translation>Verkleinerte Tabelle</translation>
    </message>
    <message>
      <source>Reference</source>
      <translation>Quelle</translation>
    </message>
    <message>
      <source>Refinements</source>
      <translation>Verfeinerungen</translation>
    </message>
    <message>
      <source>ReliefF</source>
      <translation>ReliefF</translation>
    </message>
    <message>
      <source>Remove one of my presets</source>
      <translation>Eine eigene Vorgabe entfernen</translation>
    </message>
    <message>
      <source>Remove questions that are not expected to help with new rows.</source>
      <translation>Entfernt Fragen, die bei neuen Zeilen voraussichtlich nicht helfen.</translation>
    </message>
    <message>
      <source>Removes one feature at a time; after each, takes earlier ones back for as long as that lowers the error.</source>
      <translation>Entfernt ein Merkmal nach dem anderen; nimmt nach jedem frühere zurück, solange das den Fehler senkt.</translation>
    </message>
    <message>
      <source>Rename</source>
      <translation>Umbenennen</translation>
    </message>
    <message>
      <source>Rename a run</source>
      <translation>Lauf umbenennen</translation>
    </message>
    <message>
      <source>Rename …</source>
      <translation>Umbenennen …</translation>
    </message>
    <message>
      <source>Repeat the whole search inside five outer folds: the error on rows that it never saw</source>
      <translation>Die ganze Suche in fünf äußeren Folds wiederholen: der Fehler auf Zeilen, die sie nie gesehen hat</translation>
    </message>
    <message>
      <source>Repeat until the standard error is under</source>
      <translation>Wiederholen, bis der Standardfehler kleiner ist als</translation>
    </message>
    <message>
      <source>Repeats</source>
      <translation>Wiederholungen</translation>
    </message>
    <message>
      <source>Report</source>
      <translation>Bericht</translation>
    </message>
    <message>
      <source>Resamples</source>
      <translation>Stichproben</translation>
    </message>
    <message>
      <source>Rese&amp;t settings</source>
      <translation>E&amp;instellungen zurücksetzen</translation>
    </message>
    <message>
      <source>Reset</source>
      <translation>Zurücksetzen</translation>
    </message>
    <message>
      <source>Reset all settings to the preset</source>
      <translation>Alle Einstellungen auf die Vorgabe zurücksetzen</translation>
    </message>
    <message>
      <source>Reset settings takes you to the preset.</source>
      <translation>„Einstellungen zurücksetzen“ führt zur Vorgabe.</translation>
    </message>
    <message>
      <source>Reset {title} to {value}</source>
      <translation>{title} auf {value} zurücksetzen</translation>
    </message>
    <message>
      <source>Residuals</source>
      <translation>Residuen</translation>
    </message>
    <message>
      <source>Residuals against observed values</source>
      <translation>Residuen gegen beobachtete Werte</translation>
    </message>
    <message>
      <source>Restart after</source>
      <translation>Neu beginnen nach</translation>
    </message>
    <message>
      <source>Resu&amp;lt</source>
      <translation>&amp;Ergebnis</translation>
    </message>
    <message>
      <source>Result</source>
      <translation>Ergebnis</translation>
    </message>
    <message>
      <source>Resume</source>
      <translation>Fortsetzen</translation>
    </message>
    <message>
      <source>Resume {name}</source>
      <translation>{name} fortsetzen</translation>
    </message>
    <message>
      <source>Ridge regression</source>
      <translation>Ridge-Regression</translation>
    </message>
    <message>
      <source>Rougher</source>
      <translation>Rauer</translation>
    </message>
    <message>
      <source>Rounds</source>
      <translation>Runden</translation>
    </message>
    <message>
      <source>Row ids as features</source>
      <translation>Zeilennummern als Merkmale</translation>
    </message>
    <message>
      <source>Row ids, the selected features and the target, to go on with elsewhere</source>
      <translation>Zeilennamen, die gewählten Merkmale und die Zielgröße, um anderswo weiterzuarbeiten</translation>
    </message>
    <message>
      <source>Rows</source>
      <translation>Zeilen</translation>
    </message>
    <message>
      <source>Rows (features are columns)</source>
      <translation>Zeilen (Merkmale in Spalten)</translation>
    </message>
    <message>
      <source>Rows are what is true, columns what the model said about rows that it had not seen, in one pass over the table on average. Percent are shares of the row: on the diagonal the share that is found.</source>
      <translation>Zeilen sind die Wahrheit, Spalten das, was das Modell über ungesehene Zeilen sagte, im Mittel eines Durchgangs durch die Tabelle. Prozente sind Anteile der Zeile: auf der Diagonale der gefundene Anteil.</translation>
    </message>
    <message>
      <source>Rows belong together</source>
      <translation>Zeilen gehören zusammen</translation>
    </message>
    <message>
      <source>Rows by class, features clustered, z-scores: the picture for a paper</source>
      <translation>Zeilen nach Klasse, Merkmale gruppiert, z-Werte: das Bild für einen Artikel</translation>
    </message>
    <message>
      <source>Rows by class, within a class by likeness; columns by correlation. Colours are standard deviations from the mean of the column.</source>
      <translation>Zeilen nach Klasse, innerhalb einer Klasse nach Ähnlichkeit; Spalten nach Korrelation. Farben sind Standardabweichungen vom Mittelwert der Spalte.</translation>
    </message>
    <message>
      <source>Rows by the target, its smallest on top; columns by correlation. Colours are standard deviations from the mean of the column.</source>
      <translation>Zeilen nach der Zielgröße, die kleinste oben; Spalten nach Korrelation. Farben sind Standardabweichungen vom Mittelwert der Spalte.</translation>
    </message>
    <message>
      <source>Rows by {target}, from the top: {names}</source>
      <translation>Zeilen nach {target}, von oben: {names}</translation>
    </message>
    <message>
      <source>Rows by {target}, from {low:.4g} to {high:.4g}</source>
      <translation>Zeilen nach {target}, von {low:.4g} bis {high:.4g}</translation>
    </message>
    <message>
      <source>Rows high enough for their names; scroll for more</source>
      <translation>Zeilen hoch genug für die Namen; blättern Sie für mehr</translation>
    </message>
    <message>
      <source>Rows of one group are never split between training and test.</source>
      <translation>Zeilen einer Gruppe werden nie zwischen Training und Test geteilt.</translation>
    </message>
    <message>
      <source>Rows of the table by class, selected features side by side where they are alike.</source>
      <translation>Zeilen der Tabelle nach Klasse, gewählte Merkmale nebeneinander, wo sie sich ähneln.</translation>
    </message>
    <message>
      <source>Rows that miss a value take no part.</source>
      <translation>Zeilen, denen ein Wert fehlt, nehmen nicht teil.</translation>
    </message>
    <message>
      <source>Rows that the search has never seen will be predicted less well. Do not publish it alone.</source>
      <translation>Zeilen, die die Suche nie gesehen hat, werden weniger gut vorhergesagt. Veröffentlichen Sie es nicht allein.</translation>
    </message>
    <message>
      <source>Rows with the same "{name}" are never split between training and test.</source>
      <translation>Zeilen mit demselben Wert von „{name}“ werden nie zwischen Training und Test aufgeteilt.</translation>
    </message>
    <message>
      <source>Rows with the same value are one fold; choose "Folds of a column" as validation.</source>
      <translation>Zeilen mit demselben Wert bilden einen Fold; wählen Sie „Folds einer Spalte“ als Validierung.</translation>
    </message>
    <message>
      <source>Rows with the same value, such as those of one patient, are never split between training and test.</source>
      <translation>Zeilen mit demselben Wert, etwa die eines Patienten, werden nie zwischen Training und Test aufgeteilt.</translation>
    </message>
    <message>
      <source>Rows with the same value, such as those of one patient, are never split.</source>
      <translation>Zeilen mit demselben Wert, etwa die eines Patienten, werden nie getrennt.</translation>
    </message>
    <message>
      <source>Run</source>
      <translation>Start</translation>
    </message>
    <message>
      <source>Run again with other seeds</source>
      <translation>Mit anderen Startwerten wiederholen</translation>
    </message>
    <message>
      <source>Run again with other seeds …</source>
      <translation>Mit anderen Startwerten wiederholen …</translation>
    </message>
    <message>
      <source>Run it again</source>
      <translation>Noch einmal beginnen</translation>
    </message>
    <message>
      <source>Run the search</source>
      <translation>Die Suche beginnen</translation>
    </message>
    <message>
      <source>Run with seed {seed}</source>
      <translation>Mit Startwert {seed} beginnen</translation>
    </message>
    <message>
      <source>Runs</source>
      <translation>Läufe</translation>
    </message>
    <message>
      <source>Runs at once</source>
      <translation>Gleichzeitige Läufe</translation>
    </message>
    <message>
      <source>Runs of this project</source>
      <translation>Läufe dieses Projekts</translation>
    </message>
    <message>
      <source>Runs on this data were measured in different ways: their errors do not quite compare.</source>
      <translation>Die Läufe mit diesen Daten wurden verschieden gemessen: Ihre Fehler sind nicht ganz vergleichbar.</translation>
    </message>
    <message>
      <source>Runs with a result stand side by side here: start one with Run (F5).</source>
      <translation>Läufe mit einem Ergebnis stehen hier nebeneinander: Beginnen Sie einen mit Start (F5).</translation>
    </message>
    <message>
      <source>SBFS</source>
      <translation>SBFS</translation>
    </message>
    <message>
      <source>SBS</source>
      <translation>SBS</translation>
    </message>
    <message>
      <source>SFFS</source>
      <translation>SFFS</translation>
    </message>
    <message>
      <source>SFS</source>
      <translation>SFS</translation>
    </message>
    <message>
      <source>SPSA, second order</source>
      <translation>SPSA, zweite Ordnung</translation>
    </message>
    <message>
      <source>SPSA-BB</source>
      <translation>SPSA-BB</translation>
    </message>
    <message>
      <source>Same folds within a step</source>
      <translation>Dieselben Folds in einem Schritt</translation>
    </message>
    <message>
      <source>Sample ids</source>
      <translation>Probenkennungen</translation>
    </message>
    <message>
      <source>Samples</source>
      <translation>Beispiele</translation>
    </message>
    <message>
      <source>Samples are in</source>
      <translation>Proben stehen in</translation>
    </message>
    <message>
      <source>Save as</source>
      <translation>Speichern unter</translation>
    </message>
    <message>
      <source>Save as drawing (SVG) …</source>
      <translation>Als Zeichnung speichern (SVG) …</translation>
    </message>
    <message>
      <source>Save as my &amp;preset …</source>
      <translation>Als eigene &amp;Vorgabe speichern …</translation>
    </message>
    <message>
      <source>Save as my preset</source>
      <translation>Als eigene Vorgabe speichern</translation>
    </message>
    <message>
      <source>Save as picture (PNG, 300 dots per inch) …</source>
      <translation>Als Bild speichern (PNG, 300 Punkte je Zoll) …</translation>
    </message>
    <message>
      <source>Save as {format} …</source>
      <translation>Speichern als {format} …</translation>
    </message>
    <message>
      <source>Save as …</source>
      <translation>Speichern unter …</translation>
    </message>
    <message>
      <source>Save for print (PDF) …</source>
      <translation>Für den Druck speichern (PDF) …</translation>
    </message>
    <message>
      <source>Save or copy the table</source>
      <translation>Tabelle speichern oder kopieren</translation>
    </message>
    <message>
      <source>Save preset</source>
      <translation>Vorgabe speichern</translation>
    </message>
    <message>
      <source>Save settin&amp;gs …</source>
      <translation>Ei&amp;nstellungen speichern …</translation>
    </message>
    <message>
      <source>Save settings</source>
      <translation>Einstellungen speichern</translation>
    </message>
    <message>
      <source>Save the comparison</source>
      <translation>Vergleich speichern</translation>
    </message>
    <message>
      <source>Save the curves</source>
      <translation>Kurven speichern</translation>
    </message>
    <message>
      <source>Save the project as</source>
      <translation>Projekt speichern unter</translation>
    </message>
    <message>
      <source>Save the project under a name, then close</source>
      <translation>Das Projekt unter einem Namen speichern, dann schließen</translation>
    </message>
    <message>
      <source>Save the values (CSV) …</source>
      <translation>Werte speichern (CSV) …</translation>
    </message>
    <message>
      <source>Save this heatmap</source>
      <translation>Diese Heatmap speichern</translation>
    </message>
    <message>
      <source>Save this heatmap as a picture or as numbers</source>
      <translation>Diese Heatmap als Bild oder als Zahlen speichern</translation>
    </message>
    <message>
      <source>Save, load or copy the settings</source>
      <translation>Einstellungen speichern, laden oder kopieren</translation>
    </message>
    <message>
      <source>Save, load …</source>
      <translation>Speichern …</translation>
    </message>
    <message>
      <source>Saved as "{path}".</source>
      <translation>Gespeichert als „{path}“.</translation>
    </message>
    <message>
      <source>Say which features are always or never in, and which go together</source>
      <translation>Sagen Sie, welche Merkmale immer oder nie drin sind und welche zusammengehören</translation>
    </message>
    <message>
      <source>Scale</source>
      <translation>Maß der Streuung</translation>
    </message>
    <message>
      <source>Scaling</source>
      <translation>Skalierung</translation>
    </message>
    <message>
      <source>Score</source>
      <translation>Bewertung</translation>
    </message>
    <message>
      <source>Sealed bundle</source>
      <translation>Versiegeltes Bündel</translation>
    </message>
    <message>
      <source>Search</source>
      <translation>Suche</translation>
    </message>
    <message>
      <source>Search method</source>
      <translation>Suchverfahren</translation>
    </message>
    <message>
      <source>Search methods</source>
      <translation>Suchverfahren</translation>
    </message>
    <message>
      <source>Searches only the best features by a quick score of each one; it has seen all rows, so the error gets more optimistic.</source>
      <translation>Durchsucht nur die besten Merkmale nach einer schnellen Bewertung jedes einzelnen; sie hat alle Zeilen gesehen, der Fehler wird also optimistischer.</translation>
    </message>
    <message>
      <source>Second perturbation</source>
      <translation>Zweite Störung</translation>
    </message>
    <message>
      <source>See all again</source>
      <translation>Wieder alles sehen</translation>
    </message>
    <message>
      <source>Seed</source>
      <translation>Startwert</translation>
    </message>
    <message>
      <source>Seed {old} → {new}</source>
      <translation>Startwert {old} → {new}</translation>
    </message>
    <message>
      <source>Seeds</source>
      <translation>Startwerte</translation>
    </message>
    <message>
      <source>Sees relations that are not straight lines, and takes longer on wide tables.</source>
      <translation>Sieht Zusammenhänge, die keine Geraden sind, und braucht auf breiten Tabellen länger.</translation>
    </message>
    <message>
      <source>Select a column first.</source>
      <translation>Wählen Sie zuerst eine Spalte.</translation>
    </message>
    <message>
      <source>Select features, with Shift or Ctrl several, and say which of them every subset or no subset holds.</source>
      <translation>Wählen Sie Merkmale, mehrere mit Umschalt oder Strg, und sagen Sie, welche in jeder und welche in keiner Teilmenge sind.</translation>
    </message>
    <message>
      <source>Selected</source>
      <translation>Gewählt</translation>
    </message>
    <message>
      <source>Selected column</source>
      <translation>Gewählte Spalte</translation>
    </message>
    <message>
      <source>Selected features</source>
      <translation>Gewählte Merkmale</translation>
    </message>
    <message>
      <source>Selected features in the rows of the data</source>
      <translation>Gewählte Merkmale in den Zeilen der Daten</translation>
    </message>
    <message>
      <source>Selected features most like it (correlation)</source>
      <translation>Ähnlichste gewählte Merkmale (Korrelation)</translation>
    </message>
    <message>
      <source>Selected features most like this one, with their correlation</source>
      <translation>Die gewählten Merkmale, die diesem am ähnlichsten sind, mit ihrer Korrelation</translation>
    </message>
    <message>
      <source>Selection</source>
      <translation>Auswahl</translation>
    </message>
    <message>
      <source>Selects nothing: measures the table as it is, so that every search has something to beat.</source>
      <translation>Wählt nichts aus: misst die Tabelle, wie sie ist, damit jede Suche etwas zu schlagen hat.</translation>
    </message>
    <message>
      <source>Semicolon ;</source>
      <translation>Semikolon ;</translation>
    </message>
    <message>
      <source>Separates classes by the flat boundary that keeps the widest distance from the rows on both sides; for numbers, fits a flat surface that ignores small errors. Strong where columns are many and rows few.</source>
      <translation>Trennt Klassen durch die flache Grenze mit dem größten Abstand zu den Zeilen beider Seiten; passt bei Zahlen eine flache Fläche an, die kleine Fehler übergeht. Stark bei vielen Spalten und wenigen Zeilen.</translation>
    </message>
    <message>
      <source>Separator</source>
      <translation>Trennzeichen</translation>
    </message>
    <message>
      <source>Set aside</source>
      <translation>Beiseitegelegt</translation>
    </message>
    <message>
      <source>Setting</source>
      <translation>Einstellung</translation>
    </message>
    <message>
      <source>Setting "costs": "{strip}" is not of the form "true class &gt; predicted class = cost", such as "{example} = 5"; separate several by ";".</source>
      <translation>Einstellung „costs“: „{strip}“ hat nicht die Form „wahre Klasse &gt; vorhergesagte Klasse = Kosten“, wie „{example} = 5“; trennen Sie mehrere durch „;“.</translation>
    </message>
    <message>
      <source>Setting "parameters": "{text}" is not of the form "name=value, name=value", such as "n_estimators=50, max_depth=3".</source>
      <translation>Einstellung „parameters“: „{text}“ hat nicht die Form „Name=Wert, Name=Wert“, wie „n_estimators=50, max_depth=3“.</translation>
    </message>
    <message>
      <source>Setting "parameters": scikit-learn says "{error}".</source>
      <translation>Einstellung „parameters“: scikit-learn sagt „{error}“.</translation>
    </message>
    <message>
      <source>Setting "parameters": {estimator} says "{reason}".</source>
      <translation>Einstellung „parameters“: {estimator} sagt „{reason}“.</translation>
    </message>
    <message>
      <source>Setting "{name}" is that of {owners}: write {ways}.</source>
      <translation>Die Einstellung „{name}“ gibt es bei {owners}: Schreiben Sie {ways}.</translation>
    </message>
    <message>
      <source>Setting "{place}": {reason} (got {first}).</source>
      <translation>Einstellung „{place}“: {reason} (angegeben: {first}).</translation>
    </message>
    <message>
      <source>Setting "{setting}": choose one of {known} (got "{value}").</source>
      <translation>Einstellung „{setting}“: Wählen Sie eines von {known} (gegeben war „{value}“).</translation>
    </message>
    <message>
      <source>Settings</source>
      <translation>Einstellungen</translation>
    </message>
    <message>
      <source>Settings of fsdesk. On the command line:</source>
      <translation>Einstellungen von fsdesk. Auf der Befehlszeile:</translation>
    </message>
    <message>
      <source>Settings pa&amp;nel</source>
      <translation>Spalte der Ei&amp;nstellungen</translation>
    </message>
    <message>
      <source>Settings saved as "{path}".</source>
      <translation>Einstellungen gespeichert als „{path}“.</translation>
    </message>
    <message>
      <source>Shadow features</source>
      <translation>Schattenmerkmale</translation>
    </message>
    <message>
      <source>Shakes all weights a little after each step, less and less, to leave a merely local best; 0 for none.</source>
      <translation>Rüttelt alle Gewichte nach jedem Schritt ein wenig, immer weniger, um ein nur lokales Bestes zu verlassen; 0 für keines.</translation>
    </message>
    <message>
      <source>Share changed</source>
      <translation>Geänderter Anteil</translation>
    </message>
    <message>
      <source>Share kept</source>
      <translation>Behaltener Anteil</translation>
    </message>
    <message>
      <source>Share of all masks measured that hold the feature: near 100 % is sure</source>
      <translation>Anteil aller gemessenen Masken, die das Merkmal enthalten: nahe 100 % ist sicher</translation>
    </message>
    <message>
      <source>Share of the rows that are tested in each repeat of a hold-out.</source>
      <translation>Anteil der Zeilen, die in jeder Wiederholung getestet werden.</translation>
    </message>
    <message>
      <source>Share of the subsets that hold the feature</source>
      <translation>Anteil der Teilmengen, die das Merkmal enthalten</translation>
    </message>
    <message>
      <source>Share of the target's variation that the model explains: 1 is all, 0 none.</source>
      <translation>Anteil der Streuung der Zielgröße, den das Modell erklärt: 1 ist alles, 0 nichts.</translation>
    </message>
    <message>
      <source>Sheet</source>
      <translation>Blatt</translation>
    </message>
    <message>
      <source>Sheet "{sheet}" of "{name}" is empty; choose another sheet.</source>
      <translation>Blatt „{sheet}“ von „{name}“ ist leer; wählen Sie ein anderes.</translation>
    </message>
    <message>
      <source>Show</source>
      <translation>Zeigen</translation>
    </message>
    <message>
      <source>Show all again</source>
      <translation>Wieder alles zeigen</translation>
    </message>
    <message>
      <source>Show each step</source>
      <translation>Jeden Schritt zeigen</translation>
    </message>
    <message>
      <source>Show in the curves</source>
      <translation>In den Kurven zeigen</translation>
    </message>
    <message>
      <source>Show it</source>
      <translation>Zeigen</translation>
    </message>
    <message>
      <source>Show once more where everything is</source>
      <translation>Noch einmal zeigen, wo alles ist</translation>
    </message>
    <message>
      <source>Show or hide the settings</source>
      <translation>Die Einstellungen zeigen oder verbergen</translation>
    </message>
    <message>
      <source>Show the &amp;log file</source>
      <translation>&amp;Protokolldatei zeigen</translation>
    </message>
    <message>
      <source>Show the answer of the run again</source>
      <translation>Die Antwort des Laufs wieder zeigen</translation>
    </message>
    <message>
      <source>Show the file or folder</source>
      <translation>Datei oder Ordner zeigen</translation>
    </message>
    <message>
      <source>Show the spread over the repeats</source>
      <translation>Streuung über die Wiederholungen zeigen</translation>
    </message>
    <message>
      <source>Show the table, its columns and what was found out about it</source>
      <translation>Zeigt die Tabelle, ihre Spalten und was darüber herausgefunden wurde</translation>
    </message>
    <message>
      <source>Show what was steered</source>
      <translation>Steuerungen zeigen</translation>
    </message>
    <message>
      <source>Shows or hides the settings. You need none of them for a first run; each explains itself.</source>
      <translation>Zeigt oder verbirgt die Einstellungen. Für einen ersten Lauf brauchen Sie keine davon; jede erklärt sich selbst.</translation>
    </message>
    <message>
      <source>Shrink the covariance</source>
      <translation>Kovarianz schrumpfen</translation>
    </message>
    <message>
      <source>Sign it</source>
      <translation>Unterschreiben</translation>
    </message>
    <message>
      <source>Signs the bundle with a key of yours, which is made on first use: others can tell who sealed it.</source>
      <translation>Unterschreibt das Bündel mit einem Schlüssel, der Ihnen gehört und beim ersten Mal erzeugt wird: Andere können erkennen, wer es versiegelt hat.</translation>
    </message>
    <message>
      <source>Simulated annealing</source>
      <translation>Simuliertes Ausglühen</translation>
    </message>
    <message>
      <source>Size</source>
      <translation>Größe</translation>
    </message>
    <message>
      <source>Size of the first steps as a share of c; the gain a is set so that a typical difference moves so far.</source>
      <translation>Größe der ersten Schritte als Anteil von c; die Schrittweite a wird so gesetzt, dass ein typischer Unterschied so weit bewegt.</translation>
    </message>
    <message>
      <source>Size of the steps: a_k = a / (A + k + 1)^alpha. Larger moves faster and less steadily.</source>
      <translation>Größe der Schritte: a_k = a / (A + k + 1)^alpha. Größer bewegt schneller und weniger stetig.</translation>
    </message>
    <message>
      <source>Skip the tour</source>
      <translation>Überspringen</translation>
    </message>
    <message>
      <source>Sky blue</source>
      <translation>Himmelblau</translation>
    </message>
    <message>
      <source>Slopes averaged per step</source>
      <translation>Steigungen je Schritt gemittelt</translation>
    </message>
    <message>
      <source>Smaller values prune more.</source>
      <translation>Kleinere Werte beschneiden mehr.</translation>
    </message>
    <message>
      <source>Smallest error</source>
      <translation>Kleinster Fehler</translation>
    </message>
    <message>
      <source>Smallest gain</source>
      <translation>Kleinste Schrittweite</translation>
    </message>
    <message>
      <source>Smallest gap</source>
      <translation>Kleinste Lücke</translation>
    </message>
    <message>
      <source>Smoothed class scores</source>
      <translation>Geglättete Klassenwerte</translation>
    </message>
    <message>
      <source>Smoother</source>
      <translation>Glatter</translation>
    </message>
    <message>
      <source>Smoothing</source>
      <translation>Glättung</translation>
    </message>
    <message>
      <source>So many of the best subsets are measured again at the end, and the best of these is the answer; 0 takes the smallest single measurement.</source>
      <translation>So viele der besten Teilmengen werden am Ende noch einmal gemessen, und die beste davon ist die Antwort; 0 nimmt die kleinste einzelne Messung.</translation>
    </message>
    <message>
      <source>So many of the best subsets of a round are measured again.</source>
      <translation>So viele der besten Teilmengen einer Runde werden noch einmal gemessen.</translation>
    </message>
    <message>
      <source>So many of the finalists are measured once more.</source>
      <translation>So viele der Finalisten werden ein weiteres Mal gemessen.</translation>
    </message>
    <message>
      <source>So there is something to find in these data.</source>
      <translation>Also gibt es in diesen Daten etwas zu finden.</translation>
    </message>
    <message>
      <source>So what this run found may be luck alone.</source>
      <translation>Also kann das, was dieser Lauf gefunden hat, reines Glück sein.</translation>
    </message>
    <message>
      <source>Something went wrong in a worker ({name}: {error}); the details are in the log.</source>
      <translation>In einem Arbeitsprozess ging etwas schief ({name}: {error}); Näheres steht in der Protokolldatei.</translation>
    </message>
    <message>
      <source>Something went wrong while {doing}; details are in the log file {log}.</source>
      <translation>Beim {doing} ist etwas schiefgegangen; Einzelheiten stehen in der Protokolldatei {log}.</translation>
    </message>
    <message>
      <source>Something went wrong with a task ({name}: {error}); see the log.</source>
      <translation>Bei einer Aufgabe ging etwas schief ({name}: {error}); siehe Protokolldatei.</translation>
    </message>
    <message>
      <source>Space</source>
      <translation>Leertaste</translation>
    </message>
    <message>
      <source>Spaces</source>
      <translation>Leerzeichen</translation>
    </message>
    <message>
      <source>Squared hinge, one against the rest</source>
      <translation>Quadratischer Hinge, eine gegen den Rest</translation>
    </message>
    <message>
      <source>St&amp;eer …</source>
      <translation>S&amp;teuern …</translation>
    </message>
    <message>
      <source>Stability cannot be said: every run selects all features.</source>
      <translation>Die Stabilität lässt sich nicht angeben: Jeder Lauf wählt alle Merkmale.</translation>
    </message>
    <message>
      <source>Stability constant A</source>
      <translation>Stabilitätskonstante A</translation>
    </message>
    <message>
      <source>Stability is known once two runs of these data have found a subset.</source>
      <translation>Die Stabilität ist bekannt, sobald zwei Läufe mit diesen Daten eine Teilmenge gefunden haben.</translation>
    </message>
    <message>
      <source>Stability of the selection</source>
      <translation>Stabilität der Auswahl</translation>
    </message>
    <message>
      <source>Stability {index} (95 %: {low} to {high}) over {count} runs; 1: always the same features, 0: as by chance.</source>
      <translation>Stabilität {index} (95 %: {low} bis {high}) über {count} Läufe; 1: immer dieselben Merkmale, 0: wie durch Zufall.</translation>
    </message>
    <message>
      <source>Stall limit</source>
      <translation>Stillstandsgrenze</translation>
    </message>
    <message>
      <source>Standard deviation</source>
      <translation>Standardabweichung</translation>
    </message>
    <message>
      <source>Standard deviations from the mean of the feature</source>
      <translation>Standardabweichungen vom Mittelwert des Merkmals</translation>
    </message>
    <message>
      <source>Standard error</source>
      <translation>Standardfehler</translation>
    </message>
    <message>
      <source>Start a search with these settings</source>
      <translation>Eine Suche mit diesen Einstellungen beginnen</translation>
    </message>
    <message>
      <source>Start earlier</source>
      <translation>Früher beginnen</translation>
    </message>
    <message>
      <source>Start from this su&amp;bset</source>
      <translation>Mit dieser Teil&amp;menge beginnen</translation>
    </message>
    <message>
      <source>Start later</source>
      <translation>Später beginnen</translation>
    </message>
    <message>
      <source>Start now</source>
      <translation>Jetzt beginnen</translation>
    </message>
    <message>
      <source>Started from</source>
      <translation>Begonnen mit</translation>
    </message>
    <message>
      <source>Starts with all features and removes one at a time, each time the one that is missed least.</source>
      <translation>Beginnt mit allen Merkmalen und entfernt eines nach dem anderen, jeweils das entbehrlichste.</translation>
    </message>
    <message>
      <source>Starts with no feature and adds one at a time, each time the one that lowers the error most.</source>
      <translation>Beginnt ohne Merkmale und fügt eines nach dem anderen hinzu, jeweils das, das den Fehler am meisten senkt.</translation>
    </message>
    <message>
      <source>Steadies the shape of the clouds where features are many and rows are few.</source>
      <translation>Festigt die Form der Wolken bei vielen Merkmalen und wenigen Zeilen.</translation>
    </message>
    <message>
      <source>Steer</source>
      <translation>Steuern</translation>
    </message>
    <message>
      <source>Steer the search</source>
      <translation>Die Suche steuern</translation>
    </message>
    <message>
      <source>Steer {run}</source>
      <translation>{run} steuern</translation>
    </message>
    <message>
      <source>Steered {run}: {what}.</source>
      <translation>{run} gesteuert: {what}.</translation>
    </message>
    <message>
      <source>Step size a</source>
      <translation>Schrittweite a</translation>
    </message>
    <message>
      <source>Steps</source>
      <translation>Schritte</translation>
    </message>
    <message>
      <source>Steps of each search, every one with eight small subsets; fewer are taken where the model takes long to fit.</source>
      <translation>Schritte jeder Suche, jeder mit acht kleinen Teilmengen; weniger, wenn das Modell lange zum Trainieren braucht.</translation>
    </message>
    <message>
      <source>Steps without gain</source>
      <translation>Schritte ohne Gewinn</translation>
    </message>
    <message>
      <source>Steps, at most</source>
      <translation>Schritte, höchstens</translation>
    </message>
    <message>
      <source>Stop</source>
      <translation>Stopp</translation>
    </message>
    <message>
      <source>Stop and close</source>
      <translation>Stoppen und schließen</translation>
    </message>
    <message>
      <source>Stop measuring; what is known stays</source>
      <translation>Das Messen abbrechen; was bekannt ist, bleibt</translation>
    </message>
    <message>
      <source>Stop the &amp;honest error</source>
      <translation>E&amp;hrlichen Fehler abbrechen</translation>
    </message>
    <message>
      <source>Stop the honest error; the folds that are done stay</source>
      <translation>Den ehrlichen Fehler anhalten; die fertigen Folds bleiben</translation>
    </message>
    <message>
      <source>Stop the run</source>
      <translation>Den Lauf stoppen</translation>
    </message>
    <message>
      <source>Stop the run; it can be resumed</source>
      <translation>Den Lauf stoppen; er kann fortgesetzt werden</translation>
    </message>
    <message>
      <source>Stop, or take out of the line</source>
      <translation>Stoppen oder aus der Warteschlange nehmen</translation>
    </message>
    <message>
      <source>Stopping the run; it can be resumed when you open the project again.</source>
      <translation>Der Lauf wird gestoppt; er kann fortgesetzt werden, wenn Sie das Projekt wieder öffnen.</translation>
    </message>
    <message>
      <source>Strategies</source>
      <translation>Strategien</translation>
    </message>
    <message>
      <source>Strategies on held-out rows</source>
      <translation>Strategien auf zurückgehaltenen Zeilen</translation>
    </message>
    <message>
      <source>Strategy</source>
      <translation>Strategie</translation>
    </message>
    <message>
      <source>Subset size at the start</source>
      <translation>Größe der Teilmengen zu Beginn</translation>
    </message>
    <message>
      <source>Subsets of every size that were measured again: click on the one that you want.</source>
      <translation>Noch einmal gemessene Teilmengen jeder Größe: Klicken Sie auf die gewünschte.</translation>
    </message>
    <message>
      <source>Subsets, at most</source>
      <translation>Teilmengen, höchstens</translation>
    </message>
    <message>
      <source>Subtree raising</source>
      <translation>Teilbäume anheben</translation>
    </message>
    <message>
      <source>Sum</source>
      <translation>Summe</translation>
    </message>
    <message>
      <source>Tab</source>
      <translation>Tabulator</translation>
    </message>
    <message>
      <source>Table</source>
      <translation>Tabelle</translation>
    </message>
    <message>
      <source>Table "{name}" of the study: {error}.</source>
      <translation>Tabelle „{name}“ der Studie: {error}.</translation>
    </message>
    <message>
      <source>Table in the file</source>
      <translation>Tabelle der Datei</translation>
    </message>
    <message>
      <source>Table of descriptions of the features</source>
      <translation>Tabelle mit Beschreibungen der Merkmale</translation>
    </message>
    <message>
      <source>Tables</source>
      <translation>Tabellen</translation>
    </message>
    <message>
      <source>Tables and projects</source>
      <translation>Tabellen und Projekte</translation>
    </message>
    <message>
      <source>Tables that are ready to search, to see how everything works.</source>
      <translation>Tabellen, die sofort durchsucht werden können, um zu sehen, wie alles funktioniert.</translation>
    </message>
    <message>
      <source>Tables with more features than this use only the curvature of each feature by itself.</source>
      <translation>Tabellen mit mehr Merkmalen verwenden nur die Krümmung jedes Merkmals für sich.</translation>
    </message>
    <message>
      <source>Tabu search</source>
      <translation>Tabusuche</translation>
    </message>
    <message>
      <source>Take off this list; the file stays</source>
      <translation>Aus dieser Liste nehmen; die Datei bleibt</translation>
    </message>
    <message>
      <source>Take over its settings</source>
      <translation>Einstellungen übernehmen</translation>
    </message>
    <message>
      <source>Take over its settings (Ctrl+D in the list of runs), change what is wrong and press Run: as it is it may fail again.</source>
      <translation>Übernehmen Sie seine Einstellungen (Strg+D in der Liste der Läufe), ändern Sie, was nicht stimmt, und drücken Sie Start: So wie er ist, scheitert er vermutlich wieder.</translation>
    </message>
    <message>
      <source>Take the last change back</source>
      <translation>Die letzte Änderung zurücknehmen</translation>
    </message>
    <message>
      <source>Take the settings of a file</source>
      <translation>Die Einstellungen einer Datei übernehmen</translation>
    </message>
    <message>
      <source>Take {name} off this list</source>
      <translation>{name} aus dieser Liste nehmen</translation>
    </message>
    <message>
      <source>Takes about {time} on a quiet machine.</source>
      <translation>Dauert etwa {time} auf einem sonst ruhigen Computer.</translation>
    </message>
    <message>
      <source>Takes any table with these columns by name; for scikit-learn</source>
      <translation>Nimmt jede Tabelle mit diesen Spalten nach Namen; für scikit-learn</translation>
    </message>
    <message>
      <source>Takes every class for a cloud of the same shape and draws straight borders between them. Quick, and good where rows are many for each feature.</source>
      <translation>Hält jede Klasse für eine Wolke derselben Form und zieht gerade Grenzen dazwischen. Schnell, und gut bei vielen Zeilen je Merkmal.</translation>
    </message>
    <message>
      <source>Takes every feature of a class for a bell curve of its own, and multiplies what they say. Very quick; features that say the same count twice.</source>
      <translation>Hält jedes Merkmal einer Klasse für eine eigene Glockenkurve und multipliziert, was sie sagen. Sehr schnell; Merkmale, die dasselbe sagen, zählen doppelt.</translation>
    </message>
    <message>
      <source>Takes features in the order in which they enter the path of a linear model with an L1 penalty; how many is told by rows held out.</source>
      <translation>Nimmt Merkmale in der Reihenfolge, in der sie in den Pfad eines linearen Modells mit L1-Strafe eintreten; wie viele, sagen zurückgehaltene Zeilen.</translation>
    </message>
    <message>
      <source>Takes the smallest subset whose error is within one standard error of the best one's.</source>
      <translation>Nimmt die kleinste Teilmenge, deren Fehler innerhalb eines Standardfehlers der besten liegt.</translation>
    </message>
    <message>
      <source>Target</source>
      <translation>Zielgröße</translation>
    </message>
    <message>
      <source>Target "{columns}" puts nearly every row in a class of its own ({present} classes, {rows} rows); choose another target{table}{number}.</source>
      <translation>Die Zielgröße „{columns}“ gibt fast jeder Zeile eine eigene Klasse ({present} Klassen, {rows} Zeilen); wählen Sie eine andere Zielgröße{table}{number}.</translation>
    </message>
    <message>
      <source>Target "{name}" has only one class ("{only}"); choose a column with two or more{table}.</source>
      <translation>Die Zielgröße „{name}“ hat nur eine Klasse („{only}“); wählen Sie eine Spalte mit zwei oder mehr{table}.</translation>
    </message>
    <message>
      <source>Target "{name}" holds words, not numbers{table}; predict it as classes.</source>
      <translation>Die Zielgröße „{name}“ enthält Wörter, nicht Zahlen{table}; sagen Sie sie als Klassen vorher.</translation>
    </message>
    <message>
      <source>Target "{name}" holds {present} different numbers and is predicted as a number{other}.</source>
      <translation>Die Zielgröße „{name}“ enthält {present} verschiedene Zahlen und wird als Zahl vorhergesagt{other}.</translation>
    </message>
    <message>
      <source>Target "{name}" is missing in every row; choose another target{table}.</source>
      <translation>Die Zielgröße „{name}“ fehlt in jeder Zeile; wählen Sie eine andere{table}.</translation>
    </message>
    <message>
      <source>Target holds</source>
      <translation>Zielgröße enthält</translation>
    </message>
    <message>
      <source>Target {old} → {new}</source>
      <translation>Zielgröße {old} → {new}</translation>
    </message>
    <message>
      <source>Target: the column to predict</source>
      <translation>Zielgröße: die Spalte, die vorhergesagt werden soll</translation>
    </message>
    <message>
      <source>Target: {name}</source>
      <translation>Zielgröße: {name}</translation>
    </message>
    <message>
      <source>Tell &amp;when a long run ends</source>
      <translation>Melden, wenn ein langer Lauf ende&amp;t</translation>
    </message>
    <message>
      <source>Temperatures</source>
      <translation>Temperaturen</translation>
    </message>
    <message>
      <source>Ten measurements: enough to draw the line that a search has to beat.</source>
      <translation>Zehn Messungen: genug für die Linie, die eine Suche schlagen muss.</translation>
    </message>
    <message>
      <source>Ten steps: with 450 features they take the paper's 9000 measurements.</source>
      <translation>Zehn Schritte: Bei 450 Merkmalen brauchen sie die 9000 Messungen des Artikels.</translation>
    </message>
    <message>
      <source>Tenure</source>
      <translation>Sperrdauer</translation>
    </message>
    <message>
      <source>Tested share</source>
      <translation>Testanteil</translation>
    </message>
    <message>
      <source>Text columns</source>
      <translation>Textspalten</translation>
    </message>
    <message>
      <source>Text for spreadsheets</source>
      <translation>Text für Tabellenprogramme</translation>
    </message>
    <message>
      <source>The Data page says why.</source>
      <translation>Die Seite „Daten“ sagt, warum.</translation>
    </message>
    <message>
      <source>The answer has at least this many features; the same number in both fields asks for exactly that many.</source>
      <translation>Die Antwort hat mindestens so viele Merkmale; dieselbe Zahl in beiden Feldern verlangt genau so viele.</translation>
    </message>
    <message>
      <source>The answer has at most this many features; 0 sets no limit. Features that go together count as one.</source>
      <translation>Die Antwort hat höchstens so viele Merkmale; 0 setzt keine Grenze. Merkmale, die zusammengehören, zählen als eines.</translation>
    </message>
    <message>
      <source>The answer has exactly so many features, or all where the table has fewer; 0 leaves it to the rows held out. Features that go together count as one.</source>
      <translation>Die Antwort hat genau so viele Merkmale, oder alle, wenn die Tabelle weniger hat; 0 überlässt es den zurückgehaltenen Zeilen. Merkmale, die zusammengehören, zählen als eines.</translation>
    </message>
    <message>
      <source>The answer has exactly so many features, or all where the table has fewer; 0 leaves it to the search. Features that go together count as one.</source>
      <translation>Die Antwort hat genau so viele Merkmale, oder alle, wo die Tabelle weniger hat; 0 überlässt es der Suche. Merkmale, die zusammengehören, zählen als eines.</translation>
    </message>
    <message>
      <source>The answer has no more features than this; 0 sets no limit, and a number wanted goes first. Features that go together count as one.</source>
      <translation>Die Antwort hat nicht mehr Merkmale als dies; 0 setzt keine Grenze, und eine gewünschte Anzahl geht vor. Merkmale, die zusammengehören, zählen als eines.</translation>
    </message>
    <message>
      <source>The answer has no more features than this; sizes above 200 are not tried.</source>
      <translation>Die Antwort hat nicht mehr Merkmale als so viele; Größen über 200 werden nicht versucht.</translation>
    </message>
    <message>
      <source>The answer measured again on folds that its search has not seen.</source>
      <translation>Die Antwort noch einmal gemessen, auf Folds, die ihre Suche nicht gesehen hat.</translation>
    </message>
    <message>
      <source>The answer was chosen among finalists that were measured again on new folds, but on the same rows that guided the search.</source>
      <translation>Die Antwort wurde unter Finalisten gewählt, die auf neuen Folds noch einmal gemessen wurden, aber auf denselben Zeilen, die die Suche geleitet haben.</translation>
    </message>
    <message>
      <source>The best features so far will be listed here, ready to copy or export.</source>
      <translation>Die bisher besten Merkmale werden hier aufgelistet, bereit zum Kopieren oder Exportieren.</translation>
    </message>
    <message>
      <source>The best subset of every step of this run</source>
      <translation>Die beste Teilmenge bei jedem Schritt dieses Laufs</translation>
    </message>
    <message>
      <source>The chance that a row of a class gets a higher score for it than a row of another class; for more than two classes, the mean of each class against the rest.</source>
      <translation>Die Wahrscheinlichkeit, dass eine Zeile einer Klasse dafür eine höhere Punktzahl bekommt als eine Zeile einer anderen; bei mehr als zwei Klassen das Mittel jeder Klasse gegen den Rest.</translation>
    </message>
    <message>
      <source>The checks say why.</source>
      <translation>Die Prüfungen sagen, warum.</translation>
    </message>
    <message>
      <source>The column of folds of {name} has one value only: give at least two folds.</source>
      <translation>Die Spalte der Folds von {name} hat nur einen Wert: Geben Sie wenigstens zwei Folds.</translation>
    </message>
    <message>
      <source>The column of folds of {name} splits a group: put all rows of a group in one fold.</source>
      <translation>Die Spalte der Folds von {name} teilt eine Gruppe: Legen Sie alle Zeilen einer Gruppe in einen Fold.</translation>
    </message>
    <message>
      <source>The column to predict.</source>
      <translation>Die Spalte, die vorhergesagt werden soll.</translation>
    </message>
    <message>
      <source>The column to predict. Every other column is a feature, unless you leave it out.</source>
      <translation>Die Spalte, die vorhergesagt werden soll. Jede andere Spalte ist ein Merkmal, solange Sie sie nicht weglassen.</translation>
    </message>
    <message>
      <source>The data cannot be searched</source>
      <translation>Die Daten können nicht durchsucht werden</translation>
    </message>
    <message>
      <source>The data cannot be written to "{folder}" ({reason}); free space or choose another folder.</source>
      <translation>Die Daten können nicht nach „{folder}“ geschrieben werden ({reason}); schaffen Sie Platz oder wählen Sie einen anderen Ordner.</translation>
    </message>
    <message>
      <source>The data in "{path}" are damaged: open a backup copy of it.</source>
      <translation>Die Daten in „{path}“ sind beschädigt: Öffnen Sie eine Sicherungskopie.</translation>
    </message>
    <message>
      <source>The data set "{number}" of OpenML is stored as {kind}, not as ARFF; choose another one.</source>
      <translation>Der Datensatz „{number}“ von OpenML ist als {kind} gespeichert, nicht als ARFF; wählen Sie einen anderen.</translation>
    </message>
    <message>
      <source>The disk with "{path}" is full: free some space; nothing logged is lost.</source>
      <translation>Das Laufwerk mit „{path}“ ist voll: Schaffen Sie Platz; nichts Gemessenes ist verloren.</translation>
    </message>
    <message>
      <source>The download was stopped; nothing of it was kept.</source>
      <translation>Das Herunterladen wurde abgebrochen; nichts davon wurde behalten.</translation>
    </message>
    <message>
      <source>The error of each class, averaged over the classes: a rare class counts as much as a common one.</source>
      <translation>Der Fehler jeder Klasse, über die Klassen gemittelt: Eine seltene Klasse zählt so viel wie eine häufige.</translation>
    </message>
    <message>
      <source>The error on rows that no search saw</source>
      <translation>Der Fehler auf Zeilen, die keine Suche sah</translation>
    </message>
    <message>
      <source>The error on rows that no search saw is being measured: outer fold {fold} of {folds}.</source>
      <translation>Der Fehler auf Zeilen, die keine Suche sah, wird gemessen: äußerer Fold {fold} von {folds}.</translation>
    </message>
    <message>
      <source>The error on rows that no search saw is being worked out from the rows that the search held out.</source>
      <translation>Der Fehler auf Zeilen, die keine Suche sah, wird aus den Zeilen bestimmt, die die Suche zurückhielt.</translation>
    </message>
    <message>
      <source>The error on rows that no search saw is not known for this subset: it was picked by hand, after the outer folds or without them.</source>
      <translation>Der Fehler auf Zeilen, die keine Suche sah, ist für diese Teilmenge nicht bekannt: Sie wurde von Hand gewählt, nach den äußeren Folds oder ohne sie.</translation>
    </message>
    <message>
      <source>The error on rows that no search saw is not known yet: {done} of {folds} outer folds are done.</source>
      <translation>Der Fehler auf Zeilen, die keine Suche sah, ist noch nicht bekannt: {done} von {folds} äußeren Folds sind fertig.</translation>
    </message>
    <message>
      <source>The error on rows that no search saw is not known yet: {done} of {folds} outer folds are done. fsdesk resume, or the button in the window, measures the others in about {time}.</source>
      <translation>Der Fehler auf Zeilen, die keine Suche sah, ist noch nicht bekannt: {done} von {folds} äußeren Folds sind fertig. fsdesk resume oder die Schaltfläche im Fenster misst die anderen in etwa {time}.</translation>
    </message>
    <message>
      <source>The error on rows that no search saw is not known yet: {done} of {folds} outer folds are done. fsdesk resume, or the button in the window, measures the others.</source>
      <translation>Der Fehler auf Zeilen, die keine Suche sah, ist noch nicht bekannt: {done} von {folds} äußeren Folds sind fertig. fsdesk resume oder die Schaltfläche im Fenster misst die anderen.</translation>
    </message>
    <message>
      <source>The error on rows that no search saw is not known: this search has not come to its end. Resume it.</source>
      <translation>Der Fehler auf Zeilen, die keine Suche sah, ist nicht bekannt: Diese Suche ist nicht zu Ende. Setzen Sie sie fort.</translation>
    </message>
    <message>
      <source>The error on rows that no search saw was not measured, so nobody knows how good this answer is.</source>
      <translation>Der Fehler auf Zeilen, die keine Suche sah, wurde nicht gemessen: Niemand weiß, wie gut diese Antwort ist.</translation>
    </message>
    <message>
      <source>The error on rows that no search saw was not measured. fsdesk resume, or the button in the window, measures it in {folds} outer folds, in about {time}.</source>
      <translation>Der Fehler auf Zeilen, die keine Suche sah, wurde nicht gemessen. fsdesk resume oder die Schaltfläche im Fenster misst ihn in {folds} äußeren Folds, in etwa {time}.</translation>
    </message>
    <message>
      <source>The error on rows that no search saw was not measured. fsdesk resume, or the button in the window, measures it in {folds} outer folds.</source>
      <translation>Der Fehler auf Zeilen, die keine Suche sah, wurde nicht gemessen. fsdesk resume oder die Schaltfläche im Fenster misst ihn in {folds} äußeren Folds.</translation>
    </message>
    <message>
      <source>The error on unseen rows</source>
      <translation>Der Fehler auf ungesehenen Zeilen</translation>
    </message>
    <message>
      <source>The feature that you clicked</source>
      <translation>Das angeklickte Merkmal</translation>
    </message>
    <message>
      <source>The feature that you clicked: weight, values, correlations</source>
      <translation>Das angeklickte Merkmal: Gewicht, Werte, Korrelationen</translation>
    </message>
    <message>
      <source>The features of the best subset so far</source>
      <translation>Die Merkmale der bisher besten Teilmenge</translation>
    </message>
    <message>
      <source>The features that the search found will be listed here.</source>
      <translation>Die Merkmale, die die Suche gefunden hat, werden hier aufgelistet.</translation>
    </message>
    <message>
      <source>The finalists by their number of features; needs a method that confirms several</source>
      <translation>Die Finalisten nach der Anzahl ihrer Merkmale; braucht ein Verfahren, das mehrere bestätigt</translation>
    </message>
    <message>
      <source>The first column ("{names}") holds the sample ids.</source>
      <translation>Die erste Spalte („{names}“) enthält die Probenkennungen.</translation>
    </message>
    <message>
      <source>The first column ({title}) holds the sample ids.</source>
      <translation>Die erste Spalte ({title}) enthält die Probenkennungen.</translation>
    </message>
    <message>
      <source>The first line of "{name}" is neither "#1.2" nor "#1.3", so it is not GCT; write it again.</source>
      <translation>Die erste Zeile von „{name}“ ist weder „#1.2“ noch „#1.3“, also ist es kein GCT; schreiben Sie die Datei noch einmal.</translation>
    </message>
    <message>
      <source>The first of the equal columns stays.</source>
      <translation>Die erste der gleichen Spalten bleibt.</translation>
    </message>
    <message>
      <source>The first {shown:,} of {count:,} features, those that most runs hold.</source>
      <translation>Die ersten {shown:,} von {count:,} Merkmalen, die die meisten Läufe enthalten.</translation>
    </message>
    <message>
      <source>The first {shown} of {count}: choose lines of Each run to see others.</source>
      <translation>Die ersten {shown} von {count}: Wählen Sie Zeilen unter „Jeder Lauf“, um andere zu sehen.</translation>
    </message>
    <message>
      <source>The gain of a step is the mean of so many of the last gains; 3 makes it steadier.</source>
      <translation>Die Schrittweite ist das Mittel so vieler der letzten; 3 macht sie stetiger.</translation>
    </message>
    <message>
      <source>The gain of the first step and of those where the last two say nothing; no other is smaller.</source>
      <translation>Die Schrittweite des ersten Schritts und derer, bei denen die letzten beiden nichts sagen; keine andere ist kleiner.</translation>
    </message>
    <message>
      <source>The honest error on rows that no search saw, with its 95 % interval over rows.</source>
      <translation>Der ehrliche Fehler auf Zeilen, die keine Suche sah, mit seinem 95-%-Intervall über die Zeilen.</translation>
    </message>
    <message>
      <source>The honest error takes at least two outer folds (got {folds}).</source>
      <translation>Der ehrliche Fehler braucht wenigstens zwei äußere Folds (gegeben: {folds}).</translation>
    </message>
    <message>
      <source>The honest error: the whole search is repeated inside outer folds, and each answer predicts rows that its search never saw. This is what to expect on new samples.</source>
      <translation>Der ehrliche Fehler: Die ganze Suche wird in äußeren Folds wiederholt, und jede Antwort sagt Zeilen vorher, die ihre Suche nie gesehen hat. Das ist bei neuen Proben zu erwarten.</translation>
    </message>
    <message>
      <source>The indices in line {number} of "{name}" do not ascend; sort them.</source>
      <translation>Die Indizes in Zeile {number} von „{name}“ steigen nicht an; sortieren Sie sie.</translation>
    </message>
    <message>
      <source>The key to sign with, "{path}", cannot be used ({reason}).</source>
      <translation>Der Schlüssel zum Unterschreiben, „{path}“, ist nicht zu verwenden ({reason}).</translation>
    </message>
    <message>
      <source>The last temperature as a share of the first; it falls by the same factor at every step.</source>
      <translation>Die letzte Temperatur als Anteil der ersten; sie fällt bei jedem Schritt um denselben Faktor.</translation>
    </message>
    <message>
      <source>The lines that are selected have no honest error: select others.</source>
      <translation>Die gewählten Zeilen haben keinen ehrlichen Fehler: wählen Sie andere.</translation>
    </message>
    <message>
      <source>The log of this run does not replay at measurement {number}: it was made by another version of fsdesk or numpy, or is damaged. Its results stand; start a new run to go on.</source>
      <translation>Das Protokoll dieses Laufs lässt sich ab Messung {number} nicht nachvollziehen: Es ist von einer anderen Version von fsdesk oder numpy, oder beschädigt. Seine Ergebnisse gelten; um weiterzumachen, starten Sie einen neuen Lauf.</translation>
    </message>
    <message>
      <source>The menus; then the letter that is underlined</source>
      <translation>Die Menüs; dann der unterstrichene Buchstabe</translation>
    </message>
    <message>
      <source>The model could be trained on none of the subsets: the Result page says why.</source>
      <translation>Das Modell ließ sich mit keiner der Teilmengen trainieren: Die Seite Ergebnis sagt, warum.</translation>
    </message>
    <message>
      <source>The model predicted values that are no numbers; change its parameters or choose another wrapper.</source>
      <translation>Das Modell hat Werte vorhergesagt, die keine Zahlen sind; ändern Sie seine Parameter oder wählen Sie ein anderes Modell.</translation>
    </message>
    <message>
      <source>The most that a worker held when it tried these settings just now, with all features: the program itself, {table} of this table, which all workers share, and room to measure in.</source>
      <translation>Der meiste Speicher, den ein Arbeitsprozess beim Probieren dieser Einstellungen mit allen Merkmalen hielt: das Programm selbst, {table} dieser Tabelle, die sich alle Arbeitsprozesse teilen, und Platz zum Messen.</translation>
    </message>
    <message>
      <source>The next feature that was found, the one before</source>
      <translation>Das nächste gefundene Merkmal, das vorige</translation>
    </message>
    <message numerus="yes">
      <source>The next run begins with the {count} features of run {number}: press Run.</source>
      <translation>
        <numerusform>Der nächste Lauf beginnt mit dem {count} Merkmal des Laufs {number}: Drücken Sie Start.</numerusform>
        <numerusform>Der nächste Lauf beginnt mit den {count} Merkmalen des Laufs {number}: Drücken Sie Start.</numerusform>
      </translation>
    </message>
    <message>
      <source>The other window has let this project go. It is still read only here.</source>
      <translation>Das andere Fenster hat dieses Projekt freigegeben. Hier ist es noch nur lesbar.</translation>
    </message>
    <message>
      <source>The pages</source>
      <translation>Die Seiten</translation>
    </message>
    <message>
      <source>The paper's budget with uniform crossover, fewer mutations, and an elite that is measured again.</source>
      <translation>Das Budget des Artikels mit gleichmäßiger Kreuzung, weniger Mutationen und einer Elite, die noch einmal gemessen wird.</translation>
    </message>
    <message>
      <source>The paper's values for tables with 100 features or more.</source>
      <translation>Die Werte des Artikels für Tabellen mit 100 oder mehr Merkmalen.</translation>
    </message>
    <message>
      <source>The paper's values for tables with 100 features or more: at most 9000 measurements.</source>
      <translation>Die Werte des Artikels für Tabellen mit 100 oder mehr Merkmalen: höchstens 9000 Messungen.</translation>
    </message>
    <message>
      <source>The paper's values for tables with fewer than 100 features.</source>
      <translation>Die Werte des Artikels für Tabellen mit weniger als 100 Merkmalen.</translation>
    </message>
    <message>
      <source>The paper's values for tables with fewer than 100 features: at most 3000 measurements.</source>
      <translation>Die Werte des Artikels für Tabellen mit weniger als 100 Merkmalen: höchstens 3000 Messungen.</translation>
    </message>
    <message>
      <source>The picked subset is none of those that were measured again: pick it once more.</source>
      <translation>Die gewählte Teilmenge ist keine von denen, die noch einmal gemessen wurden: Wählen Sie sie noch einmal.</translation>
    </message>
    <message>
      <source>The preset "{name}" cannot be read ({error}).</source>
      <translation>Die Vorgabe „{name}“ kann nicht gelesen werden ({error}).</translation>
    </message>
    <message>
      <source>The preset "{name}" is removed.</source>
      <translation>Die Vorgabe „{name}“ ist entfernt.</translation>
    </message>
    <message>
      <source>The preset cannot be written to "{path}" ({error}).</source>
      <translation>Die Vorgabe kann nicht nach „{path}“ geschrieben werden ({error}).</translation>
    </message>
    <message>
      <source>The project's log has an entry of the unknown kind "{kind}": update fsdesk to open it.</source>
      <translation>Das Protokoll des Projekts hat einen Eintrag der unbekannten Art „{kind}“: Aktualisieren Sie fsdesk, um es zu öffnen.</translation>
    </message>
    <message>
      <source>The query ids ("qid:") are not used.</source>
      <translation>Die Abfragekennungen („qid:“) werden nicht verwendet.</translation>
    </message>
    <message>
      <source>The quickest score: how far the classes' means are apart, or how a number follows the feature.</source>
      <translation>Die schnellste Bewertung: wie weit die Mittel der Klassen auseinanderliegen oder wie eine Zahl dem Merkmal folgt.</translation>
    </message>
    <message>
      <source>The run.json of this bundle cannot be read: it is damaged, or was altered.</source>
      <translation>Die Datei run.json dieses Bündels ist nicht zu lesen: Sie ist beschädigt oder wurde verändert.</translation>
    </message>
    <message>
      <source>The runs are paused and go on by themselves as soon as it can be written again.</source>
      <translation>Die Läufe sind angehalten und gehen von selbst weiter, sobald wieder geschrieben werden kann.</translation>
    </message>
    <message>
      <source>The same run on shuffled targets, {count} times: {criterion} {mean} on average, {best} at best; {as_good} of them did as well as this run ({observed}), p = {p}.</source>
      <translation>Derselbe Lauf mit vertauschten Zielwerten, {count}-mal: {criterion} {mean} im Mittel, {best} im besten Fall; {as_good} davon waren so gut wie dieser Lauf ({observed}), p = {p}.</translation>
    </message>
    <message>
      <source>The same seed gives this result with the same steering alone. Who steered it saw all rows,
so that no error above, not even an honest one, knows what this choice is worth.</source>
      <translation>Derselbe Seed gibt dieses Ergebnis nur mit derselben Steuerung. Wer gesteuert hat, sah alle Zeilen,
sodass kein Fehler oben, auch kein ehrlicher, weiß, was diese Entscheidung wert ist.</translation>
    </message>
    <message>
      <source>The same seed on the same data gives the same result, on any number of cores.</source>
      <translation>Derselbe Startwert mit denselben Daten gibt dasselbe Ergebnis, mit beliebig vielen Kernen.</translation>
    </message>
    <message>
      <source>The same table, settings and seed give the same features again.</source>
      <translation>Dieselbe Tabelle, dieselben Einstellungen und derselbe Seed geben dieselben Merkmale wieder.</translation>
    </message>
    <message>
      <source>The same with the paper's population and generations for tables with 100 features or more.</source>
      <translation>Dasselbe mit Population und Generationen des Artikels für Tabellen mit 100 oder mehr Merkmalen.</translation>
    </message>
    <message>
      <source>The same; then the best subset of each size is measured ten times on new folds, and these choose.</source>
      <translation>Dasselbe; dann wird die beste Teilmenge jeder Größe zehnmal auf neuen Folds gemessen, und diese entscheiden.</translation>
    </message>
    <message>
      <source>The search begins anew, and keeps its best, when that has not improved for more than this many steps.</source>
      <translation>Die Suche beginnt neu und behält ihr Bestes, wenn es sich länger als so viele Schritte nicht verbessert hat.</translation>
    </message>
    <message>
      <source>The search decides about the selected features</source>
      <translation>Über die gewählten Merkmale entscheidet die Suche</translation>
    </message>
    <message>
      <source>The search decides about the selected features again</source>
      <translation>Über die gewählten Merkmale entscheidet wieder die Suche</translation>
    </message>
    <message>
      <source>The search ended:</source>
      <translation>Die Suche endete:</translation>
    </message>
    <message>
      <source>The search ends after adding or removing so many features, each at the price of about as many measurements as the table has features; 0 sets no limit beyond the number of features, three times that for the floating methods.</source>
      <translation>Die Suche endet, wenn so viele Merkmale hinzugefügt oder entfernt sind, jedes zum Preis von etwa so vielen Messungen, wie die Tabelle Merkmale hat; 0 setzt keine Grenze außer der Anzahl der Merkmale, bei den gleitenden Verfahren dreimal so viel.</translation>
    </message>
    <message>
      <source>The search ends after every ant has built this many subsets, the random first ones included.</source>
      <translation>Die Suche endet, wenn jede Ameise so viele Teilmengen gebaut hat, die zufälligen ersten eingeschlossen.</translation>
    </message>
    <message>
      <source>The search ends after so many steps in a row that gain less than the tolerance; 0 goes through all sizes.</source>
      <translation>Die Suche endet nach so vielen Schritten in Folge, die weniger als die Toleranz gewinnen; 0 geht durch alle Größen.</translation>
    </message>
    <message>
      <source>The search ends after so many steps of cooling.</source>
      <translation>Die Suche endet nach so vielen Abkühlungsschritten.</translation>
    </message>
    <message>
      <source>The search ends after this many generations, the random first one included.</source>
      <translation>Die Suche endet nach so vielen Generationen, die zufällige erste eingeschlossen.</translation>
    </message>
    <message>
      <source>The search ends after this many moves of the swarm, its random beginning included.</source>
      <translation>Die Suche endet nach so vielen Bewegungen des Schwarms, den zufälligen Anfang eingeschlossen.</translation>
    </message>
    <message>
      <source>The search ends after this many moves.</source>
      <translation>Die Suche endet nach so vielen Zügen.</translation>
    </message>
    <message>
      <source>The search ends after this many steps, shared out among its rounds; each takes a pair of measurements for every slope averaged, and now and then one more. 0 spends the measurements.</source>
      <translation>Die Suche endet nach so vielen Schritten, auf ihre Runden verteilt; jeder braucht zwei Messungen für jede gemittelte Steigung und ab und zu eine mehr. 0 schöpft die Messungen aus.</translation>
    </message>
    <message>
      <source>The search ends after this many steps; each takes five measurements.</source>
      <translation>Die Suche endet nach so vielen Schritten; jeder braucht fünf Messungen.</translation>
    </message>
    <message>
      <source>The search ends after this many steps; each takes three measurements.</source>
      <translation>Die Suche endet nach so vielen Schritten; jeder braucht drei Messungen.</translation>
    </message>
    <message>
      <source>The search ends after this many steps; each takes two measurements for each feature and one more.</source>
      <translation>Die Suche endet nach so vielen Schritten; jeder braucht zwei Messungen für jedes Merkmal und eine weitere.</translation>
    </message>
    <message>
      <source>The search ends after this many steps; each takes two measurements for each slope averaged and one more.</source>
      <translation>Die Suche endet nach so vielen Schritten; jeder braucht zwei Messungen je gemittelter Steigung und eine weitere.</translation>
    </message>
    <message>
      <source>The search ends before it would take more measurements than this; 0 leaves it to the method's limits.</source>
      <translation>Die Suche endet, bevor sie mehr Messungen machen würde; 0 überlässt es den Grenzen des Verfahrens.</translation>
    </message>
    <message>
      <source>The search ends early when none of so many subsets in a row was better than the best; 0 draws them all.</source>
      <translation>Die Suche endet vorzeitig, wenn unter so vielen Teilmengen hintereinander keine besser war als die beste; 0 zieht alle.</translation>
    </message>
    <message>
      <source>The search ends early when the best error has not improved for more than this many generations.</source>
      <translation>Die Suche endet früher, wenn sich der beste Fehler länger als so viele Generationen nicht verbessert hat.</translation>
    </message>
    <message>
      <source>The search ends early when the best error has not improved for more than this many moves.</source>
      <translation>Die Suche endet früher, wenn sich der beste Fehler länger als so viele Züge nicht verbessert hat.</translation>
    </message>
    <message>
      <source>The search ends early when the best error has not improved for more than this many steps, restarts and all; 0 goes on to the end.</source>
      <translation>Die Suche endet vorzeitig, wenn der beste Fehler sich über mehr als so viele Schritte nicht verbessert hat, Neuanfänge eingeschlossen; 0 macht bis zum Ende weiter.</translation>
    </message>
    <message>
      <source>The search ends early when the best error has not improved for more than this many steps.</source>
      <translation>Die Suche endet früher, wenn sich der beste Fehler länger als so viele Schritte nicht verbessert hat.</translation>
    </message>
    <message>
      <source>The search ends early when the best error has not improved for more than this many temperatures.</source>
      <translation>Die Suche endet früher, wenn sich der beste Fehler länger als so viele Temperaturen nicht verbessert hat.</translation>
    </message>
    <message>
      <source>The search ends when it has measured for so long. What is being measured then is finished, and the measurement of all features before the search does not count. 0 sets no limit.</source>
      <translation>Die Suche endet, wenn sie so lange gemessen hat. Was dann gerade gemessen wird, wird zu Ende gemessen, und die Messung aller Merkmale vor der Suche zählt nicht mit. 0 setzt keine Grenze.</translation>
    </message>
    <message>
      <source>The search has just begun: its first result will be here in a moment.</source>
      <translation>Die Suche hat gerade begonnen: Ihr erstes Ergebnis ist gleich hier.</translation>
    </message>
    <message>
      <source>The search has not ended:</source>
      <translation>Die Suche ist nicht zu Ende:</translation>
    </message>
    <message>
      <source>The search is still going on: its error on rows that no search saw can be measured when it has ended.</source>
      <translation>Die Suche läuft noch: Ihr Fehler auf Zeilen, die keine Suche sah, kann gemessen werden, wenn sie zu Ende ist.</translation>
    </message>
    <message>
      <source>The search may choose any of them.</source>
      <translation>Die Suche darf jedes davon wählen.</translation>
    </message>
    <message>
      <source>The search may choose it.</source>
      <translation>Die Suche darf sie wählen.</translation>
    </message>
    <message>
      <source>The search was steered by hand ({what}).</source>
      <translation>Die Suche wurde von Hand gesteuert ({what}).</translation>
    </message>
    <message>
      <source>The search {why}: the honest error may be too good, for it cannot tell what that is worth.</source>
      <translation>Die Suche {why}: Der ehrliche Fehler kann zu gut sein, denn er weiß nicht, was das wert ist.</translation>
    </message>
    <message>
      <source>The selected features are in every subset</source>
      <translation>Die gewählten Merkmale sind in jeder Teilmenge</translation>
    </message>
    <message>
      <source>The selected features are in from now on</source>
      <translation>Die gewählten Merkmale sind ab jetzt drin</translation>
    </message>
    <message>
      <source>The selected features are in no subset</source>
      <translation>Die gewählten Merkmale sind in keiner Teilmenge</translation>
    </message>
    <message>
      <source>The selected features are in or out as one</source>
      <translation>Die gewählten Merkmale sind gemeinsam drin oder draußen</translation>
    </message>
    <message>
      <source>The selected features are out from now on</source>
      <translation>Die gewählten Merkmale sind ab jetzt draußen</translation>
    </message>
    <message>
      <source>The selected features could not be drawn.</source>
      <translation>Die gewählten Merkmale konnten nicht gezeichnet werden.</translation>
    </message>
    <message>
      <source>The selected features each go alone</source>
      <translation>Die gewählten Merkmale gehen jedes für sich</translation>
    </message>
    <message>
      <source>The selected features in the data</source>
      <translation>Die ausgewählten Merkmale in den Daten</translation>
    </message>
    <message>
      <source>The selected features in the rows of your table</source>
      <translation>Die gewählten Merkmale in den Zeilen Ihrer Tabelle</translation>
    </message>
    <message>
      <source>The selected features will be drawn here in the rows of your table, once the search has found some.</source>
      <translation>Die gewählten Merkmale werden hier in den Zeilen Ihrer Tabelle gezeichnet, sobald die Suche welche gefunden hat.</translation>
    </message>
    <message>
      <source>The settings are those of {run} now: change what you like and press Run.</source>
      <translation>Die Einstellungen sind jetzt die von {run}: Ändern Sie, was Sie möchten, und drücken Sie Start.</translation>
    </message>
    <message>
      <source>The settings cannot be written to "{path}" ({error}).</source>
      <translation>Die Einstellungen können nicht nach „{path}“ geschrieben werden ({error}).</translation>
    </message>
    <message>
      <source>The settings of the last session are not used: {error}</source>
      <translation>Die Einstellungen der letzten Sitzung werden nicht verwendet: {error}</translation>
    </message>
    <message>
      <source>The share of all subsets that a run tried which hold the feature</source>
      <translation>Der Anteil aller Teilmengen eines Laufs, die das Merkmal enthalten</translation>
    </message>
    <message>
      <source>The share of rows whose class the model gets wrong when it has not seen them.</source>
      <translation>Der Anteil der Zeilen, deren Klasse das Modell verfehlt, wenn es sie nicht gesehen hat.</translation>
    </message>
    <message>
      <source>The shared data in "{folder}" cannot be opened ({error}); open the table again.</source>
      <translation>Die geteilten Daten in „{folder}“ können nicht geöffnet werden ({error}); öffnen Sie die Tabelle noch einmal.</translation>
    </message>
    <message>
      <source>The size of the smallest error on rows held out.</source>
      <translation>Die Größe mit dem kleinsten Fehler auf zurückgehaltenen Zeilen.</translation>
    </message>
    <message>
      <source>The smallest size whose error on rows held out is within one standard error of the smallest.</source>
      <translation>Die kleinste Größe, deren Fehler auf zurückgehaltenen Zeilen höchstens einen Standardfehler über dem kleinsten liegt.</translation>
    </message>
    <message>
      <source>The sparse matrix "{key}" in "{name}" is damaged; save it again in MATLAB.</source>
      <translation>Die dünn besetzte Matrix „{key}“ in „{name}“ ist beschädigt; sichern Sie sie noch einmal in MATLAB.</translation>
    </message>
    <message>
      <source>The statistic that ranks the features: F of an analysis of variance, mutual information with the target, or ReliefF, which looks at near neighbours.</source>
      <translation>Die Statistik, die die Merkmale ordnet: F einer Varianzanalyse, Transinformation mit der Zielgröße oder ReliefF, das nahe Nachbarn betrachtet.</translation>
    </message>
    <message>
      <source>The subset that each run found: a feature is in or out</source>
      <translation>Die Teilmenge, die jeder Lauf fand: Ein Merkmal ist drin oder draußen</translation>
    </message>
    <message>
      <source>The table of the {what} came damaged from OpenML; try again.</source>
      <translation>Die Tabelle kam beschädigt von OpenML ({what}); versuchen Sie es noch einmal.</translation>
    </message>
    <message>
      <source>The table of the {what} of OpenML is too large for this program; choose a smaller one.</source>
      <translation>Diese Tabelle von OpenML ({what}) ist zu groß für dieses Programm; wählen Sie eine kleinere.</translation>
    </message>
    <message>
      <source>The weight of every feature at every step of this run</source>
      <translation>Das Gewicht jedes Merkmals bei jedem Schritt dieses Laufs</translation>
    </message>
    <message>
      <source>The whole search is repeated without the rows of each fold, which then judge its answer; so many folds take so many times as long as the search.</source>
      <translation>Die ganze Suche wird ohne die Zeilen jedes Folds wiederholt, die dann die Antwort beurteilen; so viele Folds dauern so viele Male so lange wie die Suche.</translation>
    </message>
    <message>
      <source>The whole search is then repeated inside {folds} outer folds: what to expect on new samples.</source>
      <translation>Die ganze Suche wird dann in {folds} äußeren Folds wiederholt: was bei neuen Proben zu erwarten ist.</translation>
    </message>
    <message>
      <source>The window speaks {language} when fsdesk is started again.</source>
      <translation>Das Fenster spricht {language}, wenn fsdesk neu gestartet wird.</translation>
    </message>
    <message>
      <source>The work was stopped before it was done; try again.</source>
      <translation>Die Arbeit wurde vor ihrem Ende abgebrochen; versuchen Sie es noch einmal.</translation>
    </message>
    <message>
      <source>The {shown} features of the highest last weight, of {count:,}</source>
      <translation>Die {shown} Merkmale mit dem höchsten letzten Gewicht, von {count:,}</translation>
    </message>
    <message>
      <source>There are none</source>
      <translation>Es gibt keine</translation>
    </message>
    <message>
      <source>There is no class "{strip}"; the classes are {known}.</source>
      <translation>Es gibt keine Klasse „{strip}“; die Klassen sind {known}.</translation>
    </message>
    <message>
      <source>There is no correlation with categories.</source>
      <translation>Mit Kategorien gibt es keine Korrelation.</translation>
    </message>
    <message>
      <source>There is no criterion "{name}"; choose one of: {known}.</source>
      <translation>Es gibt kein Kriterium „{name}“; wählen Sie eines von: {known}.</translation>
    </message>
    <message>
      <source>There is no data to search yet: open a table first.</source>
      <translation>Es gibt noch keine Daten zu durchsuchen: Öffnen Sie zuerst eine Tabelle.</translation>
    </message>
    <message>
      <source>There is no file "{path}": check the name and the folder.</source>
      <translation>Es gibt keine Datei „{path}“: Prüfen Sie Namen und Ordner.</translation>
    </message>
    <message>
      <source>There is no file "{path}"; check the name and the folder.</source>
      <translation>Es gibt keine Datei „{path}“; prüfen Sie Namen und Ordner.</translation>
    </message>
    <message>
      <source>There is no project file "{path}": check the name and the folder.</source>
      <translation>Es gibt keine Projektdatei „{path}“: Prüfen Sie Namen und Ordner.</translation>
    </message>
    <message>
      <source>There is no run to save a heatmap of yet: press Run first.</source>
      <translation>Es gibt noch keinen Lauf, dessen Heatmap gespeichert werden könnte: Drücken Sie zuerst Start.</translation>
    </message>
    <message>
      <source>There is no sample "{name}"; choose one of: {loaders}.</source>
      <translation>Es gibt kein Beispiel „{name}“; wählen Sie eines von: {loaders}.</translation>
    </message>
    <message>
      <source>There is no setting "{name}" for this method and model.</source>
      <translation>Es gibt keine Einstellung „{name}“ für dieses Verfahren und Modell.</translation>
    </message>
    <message>
      <source>There is no setting "{name}" here; there are: {known}.</source>
      <translation>Hier gibt es keine Einstellung „{name}“; es gibt: {known}.</translation>
    </message>
    <message>
      <source>There is no setting "{place}"; there are: {known}.</source>
      <translation>Es gibt keine Einstellung „{place}“; es gibt: {known}.</translation>
    </message>
    <message>
      <source>There is no {kind} "{name}"; choose one of: {known}.</source>
      <translation>Es gibt „{name}“ ({kind}) nicht; wählen Sie eines von: {known}.</translation>
    </message>
    <message>
      <source>There is not enough memory for this: close other programs or use a smaller table.</source>
      <translation>Dafür ist nicht genug Speicher da: Schließen Sie andere Programme oder nehmen Sie eine kleinere Tabelle.</translation>
    </message>
    <message>
      <source>There is nothing to export named "{word}"; there are: all, {known}, {exports}.</source>
      <translation>Es gibt nichts namens „{word}“ zu exportieren; es gibt: all, {known}, {exports}.</translation>
    </message>
    <message>
      <source>These are all features: the search left none out.</source>
      <translation>Das sind alle Merkmale: Die Suche hat keines weggelassen.</translation>
    </message>
    <message>
      <source>These settings cannot be used</source>
      <translation>Diese Einstellungen können nicht verwendet werden</translation>
    </message>
    <message>
      <source>These {size} features</source>
      <translation>Diese {size} Merkmale</translation>
    </message>
    <message>
      <source>They are no features any more; the data in the file stay as they are.</source>
      <translation>Sie sind keine Merkmale mehr; die Daten in der Datei bleiben, wie sie sind.</translation>
    </message>
    <message>
      <source>They are too few to rule out luck: 19 or more can.</source>
      <translation>Es sind zu wenige, um Glück auszuschließen: 19 oder mehr können es.</translation>
    </message>
    <message>
      <source>This desk</source>
      <translation>Diese Seiten</translation>
    </message>
    <message>
      <source>This is "{part}"; the file also holds {others}. All are listed under "Reading the file".</source>
      <translation>Dies ist „{part}“; die Datei enthält auch {others}. Alle stehen unter „Lesen der Datei“.</translation>
    </message>
    <message>
      <source>This is a copy of your own now: "{path}". What was not finished can be resumed here.</source>
      <translation>Das ist jetzt Ihre eigene Kopie: „{path}“. Was nicht beendet war, kann hier fortgesetzt werden.</translation>
    </message>
    <message>
      <source>This is the error to report. What the search saw is optimistic.</source>
      <translation>Dies ist der Fehler, den Sie berichten sollten. Was die Suche sah, ist optimistisch.</translation>
    </message>
    <message>
      <source>This method tries subsets without weighing the features; look at Selection instead.</source>
      <translation>Dieses Verfahren probiert Teilmengen, ohne die Merkmale zu gewichten; sehen Sie stattdessen die Auswahl an.</translation>
    </message>
    <message>
      <source>This model gives classes without scores, so there is no ROC curve. Models such as naive Bayes or logistic regression give scores.</source>
      <translation>Dieses Modell gibt Klassen ohne Punktzahlen an, also gibt es keine ROC-Kurve. Modelle wie Naive Bayes oder die logistische Regression geben Punktzahlen an.</translation>
    </message>
    <message>
      <source>This project can only be read: what was measured of run {id} is lost when it is closed.</source>
      <translation>Dieses Projekt kann nur gelesen werden: Was für Lauf {id} gemessen wurde, geht beim Schließen verloren.</translation>
    </message>
    <message>
      <source>This project has no name of its own yet</source>
      <translation>Dieses Projekt hat noch keinen eigenen Namen</translation>
    </message>
    <message>
      <source>This project is open in another window, which writes it: open a copy to go on here.</source>
      <translation>Dieses Projekt ist in einem anderen Fenster offen, das es schreibt: Öffnen Sie eine Kopie, um hier weiterzuarbeiten.</translation>
    </message>
    <message>
      <source>This project was closed meanwhile: open it again.</source>
      <translation>Dieses Projekt wurde inzwischen geschlossen: Öffnen Sie es wieder.</translation>
    </message>
    <message>
      <source>This run ends when its method has nothing left to try: more measurements change nothing.</source>
      <translation>Dieser Lauf endet, wenn sein Verfahren nichts mehr zu versuchen hat: Mehr Messungen ändern nichts.</translation>
    </message>
    <message>
      <source>This run has finished: {reason}. It goes on where a limit had ended it. A method that had come to its own end takes no more: start another run from its subset then (menu Run).</source>
      <translation>Dieser Lauf ist beendet: {reason}. Er geht weiter, wenn eine Grenze ihn beendet hat. Ein Verfahren, das von selbst zu Ende war, nimmt nichts mehr: Starten Sie dann einen neuen Lauf von seiner Teilmenge (Menü Start).</translation>
    </message>
    <message>
      <source>This run has found no subset yet: let it run for a moment.</source>
      <translation>Dieser Lauf hat noch keine Teilmenge gefunden: Lassen Sie ihn kurz laufen.</translation>
    </message>
    <message>
      <source>This run has measured no finalists of several sizes, so there is no error against size. Methods such as BSPSA-H do so at the end of their search.</source>
      <translation>Dieser Lauf hat keine Finalisten verschiedener Größe gemessen, also gibt es keinen Fehler gegen die Größe. Verfahren wie BSPSA-H tun das am Ende ihrer Suche.</translation>
    </message>
    <message>
      <source>This run has measured no subset yet: let it run for a moment, then export.</source>
      <translation>Dieser Lauf hat noch keine Teilmenge gemessen: Lassen Sie ihn einen Moment laufen, dann exportieren Sie.</translation>
    </message>
    <message>
      <source>This run has measured nothing: resume it, or start another one.</source>
      <translation>Dieser Lauf hat nichts gemessen: Setzen Sie ihn fort oder beginnen Sie einen anderen.</translation>
    </message>
    <message>
      <source>This run has no limit of iterations: extend its measurements instead.</source>
      <translation>Dieser Lauf hat keine Grenze für Iterationen: Erweitern Sie stattdessen seine Messungen.</translation>
    </message>
    <message>
      <source>This run has no limit of time: extend its measurements instead.</source>
      <translation>Dieser Lauf hat keine Zeitgrenze: Verlängern Sie stattdessen die Messungen.</translation>
    </message>
    <message>
      <source>This run has nothing to draw for it.</source>
      <translation>Dieser Lauf hat dafür nichts zu zeichnen.</translation>
    </message>
    <message>
      <source>This run has nothing to draw for {name}: leave it out. {help}.</source>
      <translation>Dieser Lauf hat nichts zu zeichnen für {name}: Lassen Sie es weg. {help}.</translation>
    </message>
    <message>
      <source>This run has nothing to draw here yet: let it run for a moment.</source>
      <translation>Dieser Lauf hat hier noch nichts zu zeichnen: Lassen Sie ihn einen Moment laufen.</translation>
    </message>
    <message>
      <source>This run is shown with all its details.</source>
      <translation>Dieser Lauf wird mit allen Einzelheiten gezeigt.</translation>
    </message>
    <message>
      <source>This run was made on other data than {name} as it is now: open the table that it was made on.</source>
      <translation>Dieser Lauf entstand auf anderen Daten als {name} in seinem jetzigen Zustand: Öffnen Sie die Tabelle, auf der er entstand.</translation>
    </message>
    <message>
      <source>This share of the largest variance is added to all variances, so that none is zero.</source>
      <translation>Dieser Anteil der größten Varianz wird zu allen Varianzen addiert, damit keine null ist.</translation>
    </message>
    <message>
      <source>This table has no feature {names}: the constraints on them are left out.</source>
      <translation>Diese Tabelle hat kein Merkmal {names}: Die Bedingungen dazu entfallen.</translation>
    </message>
    <message>
      <source>Thorough</source>
      <translation>Gründlich</translation>
    </message>
    <message>
      <source>Time</source>
      <translation>Zeit</translation>
    </message>
    <message>
      <source>Time spent measuring</source>
      <translation>Mit Messen verbrachte Zeit</translation>
    </message>
    <message>
      <source>Time spent measuring.</source>
      <translation>Mit Messen verbrachte Zeit.</translation>
    </message>
    <message>
      <source>Time, at most</source>
      <translation>Zeit, höchstens</translation>
    </message>
    <message>
      <source>Times count with the validation "Forward in time".</source>
      <translation>Zeiten zählen bei der Validierung „Vorwärts in der Zeit“.</translation>
    </message>
    <message>
      <source>To reproduce</source>
      <translation>Zum Nachvollziehen</translation>
    </message>
    <message>
      <source>To the next control, and back</source>
      <translation>Zum nächsten Bedienelement und zurück</translation>
    </message>
    <message>
      <source>Together</source>
      <translation>Zusammen</translation>
    </message>
    <message>
      <source>Tolerance</source>
      <translation>Toleranz</translation>
    </message>
    <message>
      <source>Tools</source>
      <translation>Werkzeuge</translation>
    </message>
    <message>
      <source>Tosses a coin for each feature, which makes nearly all subsets about half of the table, or draws the size first, from 1 to all alike.</source>
      <translation>Wirft für jedes Merkmal eine Münze, was fast alle Teilmengen etwa halb so groß wie die Tabelle macht, oder zieht zuerst die Größe, alle von 1 an gleich wahrscheinlich.</translation>
    </message>
    <message>
      <source>Tournament size</source>
      <translation>Turniergröße</translation>
    </message>
    <message>
      <source>Trained pipeline</source>
      <translation>Trainierte Pipeline</translation>
    </message>
    <message>
      <source>Tried just now on half of the features: {count} take about {time}. Subsets that get smaller are mostly quicker, other runs at work make it slower, and a search that finds nothing better may end before.</source>
      <translation>Gerade mit der Hälfte der Merkmale probiert: {count} dauern etwa {time}. Kleinere Teilmengen sind meist schneller, andere Läufe machen es langsamer, und eine Suche, die nichts Besseres findet, kann früher enden.</translation>
    </message>
    <message>
      <source>Tube epsilon</source>
      <translation>Schlauch epsilon</translation>
    </message>
    <message>
      <source>Two neighbouring values are told apart only where they differ by more than this, in the feature's own unit; set it to 0 for features with tiny values.</source>
      <translation>Zwei benachbarte Werte werden nur unterschieden, wenn sie sich um mehr unterscheiden, in der Einheit des Merkmals; setzen Sie 0 bei Merkmalen mit winzigen Werten.</translation>
    </message>
    <message>
      <source>Two tables of the study are named "{name}": rename one of the files.</source>
      <translation>Zwei Tabellen der Studie heißen „{name}“: Benennen Sie eine der Dateien um.</translation>
    </message>
    <message>
      <source>Typical size of the mistakes, in the unit of the target; large ones count more.</source>
      <translation>Typische Größe der Fehler in der Einheit der Zielgröße; große zählen mehr.</translation>
    </message>
    <message>
      <source>UTF-16</source>
      <translation>UTF-16</translation>
    </message>
    <message>
      <source>UTF-8</source>
      <translation>UTF-8</translation>
    </message>
    <message>
      <source>Undo</source>
      <translation>Rückgängig</translation>
    </message>
    <message>
      <source>Undo (Ctrl+Z) works until you open other data or close this project.</source>
      <translation>Rückgängig (Strg+Z) geht, bis Sie andere Daten öffnen oder dieses Projekt schließen.</translation>
    </message>
    <message>
      <source>Undo the last change of a setting or of what columns are for</source>
      <translation>Die letzte Änderung einer Einstellung oder einer Spaltenrolle zurücknehmen</translation>
    </message>
    <message>
      <source>Univariate</source>
      <translation>Univariat</translation>
    </message>
    <message>
      <source>Unpin {name}</source>
      <translation>{name} nicht mehr anheften</translation>
    </message>
    <message>
      <source>Up, Down, Page Up, Page Down, Home, End</source>
      <translation>Auf, Ab, Bild auf, Bild ab, Pos1, Ende</translation>
    </message>
    <message>
      <source>Use as feature</source>
      <translation>Als Merkmal verwenden</translation>
    </message>
    <message>
      <source>Use as groups of rows</source>
      <translation>Als Zeilengruppen verwenden</translation>
    </message>
    <message>
      <source>Use as target</source>
      <translation>Als Zielgröße verwenden</translation>
    </message>
    <message>
      <source>Use as time</source>
      <translation>Als Zeit verwenden</translation>
    </message>
    <message>
      <source>Use as your own folds</source>
      <translation>Als eigene Folds verwenden</translation>
    </message>
    <message>
      <source>Use it</source>
      <translation>Verwenden</translation>
    </message>
    <message>
      <source>Use it as a feature</source>
      <translation>Als Merkmal verwenden</translation>
    </message>
    <message>
      <source>Use them</source>
      <translation>Verwenden</translation>
    </message>
    <message>
      <source>Use them as features</source>
      <translation>Als Merkmale verwenden</translation>
    </message>
    <message>
      <source>Use these</source>
      <translation>Übernehmen</translation>
    </message>
    <message>
      <source>Validation</source>
      <translation>Validierung</translation>
    </message>
    <message>
      <source>Value</source>
      <translation>Wert</translation>
    </message>
    <message>
      <source>Values (*.csv)</source>
      <translation>Werte (*.csv)</translation>
    </message>
    <message>
      <source>Values by {target}</source>
      <translation>Werte nach {target}</translation>
    </message>
    <message>
      <source>Values of the feature</source>
      <translation>Werte des Merkmals</translation>
    </message>
    <message>
      <source>Velocity, at most</source>
      <translation>Geschwindigkeit, höchstens</translation>
    </message>
    <message>
      <source>Vermilion</source>
      <translation>Zinnoberrot</translation>
    </message>
    <message>
      <source>Version</source>
      <translation>Version</translation>
    </message>
    <message>
      <source>Versions and licences of the packages inside</source>
      <translation>Versionen und Lizenzen der enthaltenen Pakete</translation>
    </message>
    <message>
      <source>Vertical bar |</source>
      <translation>Senkrechter Strich |</translation>
    </message>
    <message>
      <source>Votes</source>
      <translation>Stimmen</translation>
    </message>
    <message>
      <source>Waveforms</source>
      <translation>Wellenformen</translation>
    </message>
    <message>
      <source>Ways of reading are those of a file: leave them out for a sample.</source>
      <translation>Wie gelesen wird, lässt sich nur für eine Datei sagen: Lassen Sie das bei einem Beispiel weg.</translation>
    </message>
    <message>
      <source>Weighs the features into a sum, with weights kept small. Predicts numbers, or classes by the largest sum.</source>
      <translation>Verrechnet die Merkmale zu einer Summe mit klein gehaltenen Gewichten. Sagt Zahlen vorher, oder Klassen nach der größten Summe.</translation>
    </message>
    <message>
      <source>Weighs the features into the odds of each class, and keeps the weights small.</source>
      <translation>Verrechnet die Merkmale zu den Chancen jeder Klasse und hält die Gewichte klein.</translation>
    </message>
    <message>
      <source>Weight</source>
      <translation>Gewicht</translation>
    </message>
    <message>
      <source>Weight of the feature over the iterations</source>
      <translation>Gewicht des Merkmals über die Iterationen</translation>
    </message>
    <message>
      <source>Weight over the iterations</source>
      <translation>Gewicht über die Iterationen</translation>
    </message>
    <message>
      <source>Weight, frequency and whether the feature is selected</source>
      <translation>Gewicht, Häufigkeit und ob das Merkmal gewählt ist</translation>
    </message>
    <message>
      <source>Weight: the score that the strategy gave the feature, from 0 to 1. Frequency: share of the resamples in which it took the feature.</source>
      <translation>Gewicht: die Wertung, die die Strategie dem Merkmal gab, von 0 bis 1. Häufigkeit: Anteil der Stichproben, in denen sie das Merkmal nahm.</translation>
    </message>
    <message>
      <source>Weight: what the method thought of the feature when it found this subset, from 0 to 1. Frequency: share of the subsets that the search looked at which contain the feature.</source>
      <translation>Gewicht: was das Verfahren von dem Merkmal hielt, als es diese Teilmenge fand, von 0 bis 1. Häufigkeit: Anteil der Teilmengen, die die Suche ansah, die das Merkmal enthalten.</translation>
    </message>
    <message>
      <source>Weights</source>
      <translation>Gewichte</translation>
    </message>
    <message>
      <source>Weights during the search</source>
      <translation>Gewichte während der Suche</translation>
    </message>
    <message>
      <source>What "{name}" unpacks to does not fit into memory; open a smaller table.</source>
      <translation>Was „{name}“ ausgepackt ergibt, passt nicht in den Speicher; öffnen Sie eine kleinere Tabelle.</translation>
    </message>
    <message>
      <source>What a row within the margin costs: its distance (each pair of classes votes), or the distance squared (each class against all others); regression always uses the distance.</source>
      <translation>Was eine Zeile im Rand kostet: ihren Abstand (jedes Klassenpaar stimmt ab) oder den Abstand im Quadrat (jede Klasse gegen alle anderen); die Regression verwendet immer den Abstand.</translation>
    </message>
    <message>
      <source>What can be done with a row of a list</source>
      <translation>Was mit einer Listenzeile getan werden kann</translation>
    </message>
    <message>
      <source>What counts as the spread of a feature.</source>
      <translation>Was als Streuung eines Merkmals gilt.</translation>
    </message>
    <message>
      <source>What each feature does</source>
      <translation>Was jedes Merkmal tut</translation>
    </message>
    <message>
      <source>What is being done</source>
      <translation>Was gerade getan wird</translation>
    </message>
    <message>
      <source>What is being measured</source>
      <translation>Was gerade gemessen wird</translation>
    </message>
    <message>
      <source>What is not possible</source>
      <translation>Was nicht möglich ist</translation>
    </message>
    <message>
      <source>What is queued</source>
      <translation>Was eingereiht wird</translation>
    </message>
    <message>
      <source>What is this? (F1)</source>
      <translation>Was ist das? (F1)</translation>
    </message>
    <message>
      <source>What only describes a sample may give its class away.</source>
      <translation>Was eine Probe nur beschreibt, verrät womöglich ihre Klasse.</translation>
    </message>
    <message>
      <source>What stands between two cells of a text file.</source>
      <translation>Was in einer Textdatei zwischen zwei Zellen steht.</translation>
    </message>
    <message>
      <source>What the file says of this column</source>
      <translation>Was die Datei über diese Spalte sagt</translation>
    </message>
    <message>
      <source>What the mistakes cost on average for a row, by your costs; 1 for each mistake that you do not name.</source>
      <translation>Was die Fehler im Mittel je Zeile kosten, nach Ihren Kosten; 1 für jeden nicht genannten Fehler.</translation>
    </message>
    <message>
      <source>What the points are</source>
      <translation>Was die Punkte sind</translation>
    </message>
    <message>
      <source>What the search improves; the usual one is the share of rows predicted wrong, or RMSE for numbers.</source>
      <translation>Was die Suche verbessert; üblich ist der Anteil falsch vorhergesagter Zeilen, bei Zahlen der RMSE.</translation>
    </message>
    <message>
      <source>What the search itself saw</source>
      <translation>Was die Suche selbst sah</translation>
    </message>
    <message>
      <source>What the search itself saw: optimistic, the best of many noisy measurements.</source>
      <translation>Was die Suche selbst sah: optimistisch, das Beste aus vielen verrauschten Messungen.</translation>
    </message>
    <message>
      <source>What the search measured, iteration by iteration</source>
      <translation>Was die Suche gemessen hat, Iteration für Iteration</translation>
    </message>
    <message>
      <source>What the search saw is optimistic.</source>
      <translation>Was die Suche sah, ist optimistisch.</translation>
    </message>
    <message>
      <source>What the search thought of the feature when it found the answer, 0 to 1</source>
      <translation>Was die Suche von dem Merkmal hielt, als sie die Antwort fand, 0 bis 1</translation>
    </message>
    <message>
      <source>What the selected column is for</source>
      <translation>Wozu die gewählte Spalte dient</translation>
    </message>
    <message>
      <source>What the target holds</source>
      <translation>Was die Zielgröße enthält</translation>
    </message>
    <message>
      <source>What was found and how, with the curve, to read and to send</source>
      <translation>Was wie gefunden wurde, mit der Kurve, zum Lesen und Verschicken</translation>
    </message>
    <message>
      <source>What was found, and what the error comes from</source>
      <translation>Was gefunden wurde, und woher der Fehler stammt</translation>
    </message>
    <message>
      <source>What went wrong</source>
      <translation>Was schiefging</translation>
    </message>
    <message>
      <source>What will be written, or how far it is</source>
      <translation>Was geschrieben wird oder wie weit es ist</translation>
    </message>
    <message>
      <source>When the row was measured; choose "Forward in time" as validation.</source>
      <translation>Wann die Zeile gemessen wurde; wählen Sie „Vorwärts in der Zeit“ als Validierung.</translation>
    </message>
    <message>
      <source>Where a smaller subset is as good within its bar, it may be the better choice: {file} names the features of each.</source>
      <translation>Wo eine kleinere Teilmenge innerhalb ihres Balkens ebenso gut ist, kann sie die bessere Wahl sein: {file} nennt die Merkmale jeder einzelnen.</translation>
    </message>
    <message>
      <source>Where the default comes from</source>
      <translation>Woher die Vorgabe kommt</translation>
    </message>
    <message>
      <source>Where the descriptions come from</source>
      <translation>Woher die Beschreibungen kommen</translation>
    </message>
    <message>
      <source>Where there is no room for all columns, those least needed give way</source>
      <translation>Wo kein Platz für alle Spalten ist, weichen die entbehrlichsten</translation>
    </message>
    <message>
      <source>Whether all neighbours have the same vote, or nearer ones more: one over their distance.</source>
      <translation>Ob alle Nachbarn dieselbe Stimme haben oder nähere mehr: eins durch ihren Abstand.</translation>
    </message>
    <message>
      <source>Whether one and a half is written 1.5 or 1,5.</source>
      <translation>Ob eineinhalb als 1.5 oder 1,5 geschrieben ist.</translation>
    </message>
    <message>
      <source>Whether rows of rare classes weigh more, so that each class counts alike.</source>
      <translation>Ob Zeilen seltener Klassen mehr wiegen, damit jede Klasse gleich zählt.</translation>
    </message>
    <message>
      <source>Whether the first column names the samples instead of being a feature.</source>
      <translation>Ob die erste Spalte die Proben benennt, statt ein Merkmal zu sein.</translation>
    </message>
    <message>
      <source>Whether the first line names the columns instead of being data.</source>
      <translation>Ob die erste Zeile die Spalten benennt, statt Daten zu enthalten.</translation>
    </message>
    <message>
      <source>Whether the votes for a class are divided by its rows in the training fold, so that each class counts alike; makes no difference with one neighbour, nor in regression.</source>
      <translation>Ob die Stimmen für eine Klasse durch ihre Zeilen im Trainingsfold geteilt werden, sodass jede Klasse gleich zählt; macht keinen Unterschied mit einem Nachbarn und keinen bei Regression.</translation>
    </message>
    <message>
      <source>Whether this run can take more</source>
      <translation>Ob dieser Lauf weitergehen kann</translation>
    </message>
    <message>
      <source>Which matrix, group or object of an HDF5, MATLAB or R file to open; empty finds it.</source>
      <translation>Welche Matrix, Gruppe oder welches Objekt einer Datei von HDF5, MATLAB oder R geöffnet wird; leer: wird gefunden.</translation>
    </message>
    <message>
      <source>Which rows are predicted by a model that has not seen them; rows of one group always stay together.</source>
      <translation>Welche Zeilen ein Modell vorhersagt, das sie nicht gesehen hat; Zeilen einer Gruppe bleiben immer zusammen.</translation>
    </message>
    <message>
      <source>Which share of a good subset an ant keeps on average before it adds features by pheromone.</source>
      <translation>Welchen Anteil einer guten Teilmenge eine Ameise im Mittel behält, bevor sie nach Pheromon Merkmale hinzufügt.</translation>
    </message>
    <message>
      <source>Which share of all features a change switches, in or out; at least one feature.</source>
      <translation>Welchen Anteil aller Merkmale eine Änderung umschaltet, hinein oder hinaus; mindestens ein Merkmal.</translation>
    </message>
    <message>
      <source>Which share of the pheromone is left after an iteration; less forgets faster.</source>
      <translation>Welcher Anteil des Pheromons nach einer Iteration bleibt; weniger vergisst schneller.</translation>
    </message>
    <message>
      <source>Which strategies compete; all features together always do.</source>
      <translation>Welche Strategien antreten; alle Merkmale zusammen sind immer dabei.</translation>
    </message>
    <message>
      <source>Which subset is taken: that of the smallest error on rows held out, or that of the fewest or of the most features among all whose error is within one standard error of it.</source>
      <translation>Welche Teilmenge genommen wird: die mit dem kleinsten Fehler auf zurückgehaltenen Zeilen, oder die mit den wenigsten oder den meisten Merkmalen unter allen, deren Fehler höchstens einen Standardfehler davon entfernt ist.</translation>
    </message>
    <message>
      <source>While pruning, let the largest branch of a question take its place where that looks no worse.</source>
      <translation>Lässt beim Beschneiden den größten Zweig einer Frage ihren Platz einnehmen, wenn das nicht schlechter aussieht.</translation>
    </message>
    <message>
      <source>Who steered it saw all rows: no error here knows what that choice is worth.</source>
      <translation>Wer sie gesteuert hat, sah alle Zeilen: Kein Fehler hier weiß, was diese Entscheidung wert ist.</translation>
    </message>
    <message>
      <source>Whole matrix up to</source>
      <translation>Ganze Matrix bis</translation>
    </message>
    <message>
      <source>Whole search</source>
      <translation>Ganze Suche</translation>
    </message>
    <message>
      <source>Why the search ended</source>
      <translation>Warum die Suche endete</translation>
    </message>
    <message>
      <source>Why there is no result</source>
      <translation>Warum es kein Ergebnis gibt</translation>
    </message>
    <message>
      <source>Why there is nothing to see here</source>
      <translation>Warum es hier nichts zu sehen gibt</translation>
    </message>
    <message>
      <source>Windows Western (cp1252)</source>
      <translation>Windows westlich (cp1252)</translation>
    </message>
    <message>
      <source>Wine</source>
      <translation>Wein</translation>
    </message>
    <message>
      <source>With features in its rows, "{name}" must hold numbers alone, and {strange} does not; leave out that column or choose samples in rows.</source>
      <translation>Mit Merkmalen in den Zeilen darf „{name}“ nur Zahlen enthalten, und {strange} tut das nicht; lassen Sie die Spalte weg oder wählen Sie Proben in Zeilen.</translation>
    </message>
    <message>
      <source>With no feature left out, on the same outer folds: what the selection has to beat.</source>
      <translation>Ohne ein Merkmal wegzulassen, auf denselben äußeren Folds: was die Auswahl übertreffen muss.</translation>
    </message>
    <message>
      <source>With the honest error ({folds} outer folds)</source>
      <translation>Mit dem ehrlichen Fehler ({folds} äußere Folds)</translation>
    </message>
    <message>
      <source>With the rows dropped that miss a value, target "{name}" has only one class ("{classes}"); fill in the missing values instead.</source>
      <translation>Ohne die Zeilen, denen ein Wert fehlt, hat die Zielgröße „{name}“ nur eine Klasse („{classes}“); füllen Sie die fehlenden Werte stattdessen auf.</translation>
    </message>
    <message>
      <source>Within one standard error of the answer ({limit}): {number} of the {measured} subsets that were measured. Features in nearly all of them matter; those in few can be exchanged. A subset that was measured once may owe its place to luck.</source>
      <translation>Innerhalb eines Standardfehlers der Antwort ({limit}): {number} der {measured} gemessenen Teilmengen. Merkmale in fast allen davon sind wichtig; die in wenigen sind austauschbar. Eine nur einmal gemessene Teilmenge kann ihren Platz dem Glück verdanken.</translation>
    </message>
    <message>
      <source>Work it out from the rows that the search held out</source>
      <translation>Aus den Zeilen bestimmen, die die Suche zurückhielt</translation>
    </message>
    <message>
      <source>Workers and memory</source>
      <translation>Arbeitsprozesse und Speicher</translation>
    </message>
    <message>
      <source>Workers are processes that read tables and run searches, so that the window always answers.</source>
      <translation>Arbeitsprozesse lesen Tabellen und führen Suchen aus, damit das Fenster immer antwortet.</translation>
    </message>
    <message>
      <source>Write a note</source>
      <translation>Eine Notiz schreiben</translation>
    </message>
    <message>
      <source>Write the features, the mask and a report</source>
      <translation>Merkmale, Maske und Bericht schreiben</translation>
    </message>
    <message>
      <source>Write the settings to a file</source>
      <translation>Die Einstellungen in eine Datei schreiben</translation>
    </message>
    <message>
      <source>Written to "{path}".</source>
      <translation>Geschrieben nach „{path}“.</translation>
    </message>
    <message>
      <source>Written to {folder}: {files}.</source>
      <translation>Geschrieben nach {folder}: {files}.</translation>
    </message>
    <message>
      <source>XOR: features of just one parent (paper)</source>
      <translation>XOR: was nur ein Elternteil hat (Artikel)</translation>
    </message>
    <message>
      <source>Yes</source>
      <translation>Ja</translation>
    </message>
    <message>
      <source>Your limit: without it the method may take {count}.</source>
      <translation>Ihre Grenze: Ohne sie kann das Verfahren brauchen: {count}.</translation>
    </message>
    <message>
      <source>Your name, or nothing</source>
      <translation>Ihr Name, oder nichts</translation>
    </message>
    <message>
      <source>Your own folds</source>
      <translation>Eigene Folds</translation>
    </message>
    <message>
      <source>Your own folds count with the validation "Folds of a column".</source>
      <translation>Ihre eigenen Folds zählen bei der Validierung „Folds einer Spalte“.</translation>
    </message>
    <message>
      <source>Your own preset: method, model and measuring</source>
      <translation>Ihre eigene Vorgabe: Verfahren, Modell und Messen</translation>
    </message>
    <message>
      <source>Your own words about the feature: double-click or press F2 to write</source>
      <translation>Ihre eigenen Worte zum Merkmal: Doppelklick oder F2 zum Schreiben</translation>
    </message>
    <message>
      <source>ZIP</source>
      <translation>ZIP</translation>
    </message>
    <message>
      <source>ZIP with the data</source>
      <translation>ZIP mit den Daten</translation>
    </message>
    <message>
      <source>Zoom across; the rows</source>
      <translation>In der Breite vergrößern; die Zeilen</translation>
    </message>
    <message>
      <source>a coin for each feature</source>
      <translation>eine Münze für jedes Merkmal</translation>
    </message>
    <message>
      <source>a difference of differences drowns in the luck of the folds</source>
      <translation>eine Differenz von Differenzen ertrinkt im Glück der Folds</translation>
    </message>
    <message>
      <source>a forest is a good first guess on many tables</source>
      <translation>ein Wald ist bei vielen Tabellen ein guter erster Versuch</translation>
    </message>
    <message>
      <source>a leave-one-out validation</source>
      <translation>eine Validierung, die jede Zeile einmal auslässt</translation>
    </message>
    <message>
      <source>a list of names is wanted</source>
      <translation>verlangt ist eine Liste von Namen</translation>
    </message>
    <message>
      <source>a list that a person can still read</source>
      <translation>eine Liste, die ein Mensch noch lesen kann</translation>
    </message>
    <message>
      <source>a loss is noise in part: kept as it is, the luckiest value stays for good</source>
      <translation>ein Verlust ist zum Teil Rauschen: unverändert bliebe der glücklichste Wert für immer</translation>
    </message>
    <message>
      <source>a number is wanted</source>
      <translation>verlangt ist eine Zahl</translation>
    </message>
    <message>
      <source>a steadier slope for the same number of measurements</source>
      <translation>eine stetigere Steigung bei ebenso vielen Messungen</translation>
    </message>
    <message>
      <source>a step on the whole matrix takes time with the third power of the features, and memory with the second</source>
      <translation>ein Schritt mit der ganzen Matrix braucht Zeit mit der dritten Potenz der Merkmale und Speicher mit der zweiten</translation>
    </message>
    <message>
      <source>a subset</source>
      <translation>eine Teilmenge</translation>
    </message>
    <message>
      <source>a tenth of a gene chip or less</source>
      <translation>höchstens ein Zehntel eines Genchips</translation>
    </message>
    <message>
      <source>a text is wanted</source>
      <translation>verlangt ist ein Text</translation>
    </message>
    <message>
      <source>a usual choice: in the end nearly nothing worse is accepted</source>
      <translation>üblich: am Ende wird fast nichts Schlechteres angenommen</translation>
    </message>
    <message>
      <source>a validation forward in time, in {folds} blocks</source>
      <translation>eine Validierung vorwärts in der Zeit, in {folds} Blöcken</translation>
    </message>
    <message>
      <source>a validation on the folds that a column of the table names</source>
      <translation>eine Validierung auf den Folds, die eine Spalte der Tabelle nennt</translation>
    </message>
    <message>
      <source>a whole number is wanted</source>
      <translation>verlangt ist eine ganze Zahl</translation>
    </message>
    <message>
      <source>about 3000 measurements for 60 features, as many as the paper allows</source>
      <translation>etwa 3000 Messungen bei 60 Merkmalen, so viele wie im Artikel erlaubt</translation>
    </message>
    <message>
      <source>about a minute for the built-in models</source>
      <translation>etwa eine Minute für die eingebauten Modelle</translation>
    </message>
    <message>
      <source>about as many measurements as the paper allows, four a temperature</source>
      <translation>etwa so viele Messungen wie im Artikel erlaubt, vier je Temperatur</translation>
    </message>
    <message>
      <source>adds nothing</source>
      <translation>kein Aufschlag</translation>
    </message>
    <message>
      <source>after the search</source>
      <translation>nach der Suche</translation>
    </message>
    <message>
      <source>all features</source>
      <translation>alle Merkmale</translation>
    </message>
    <message>
      <source>all features measured once</source>
      <translation>alle Merkmale einmal gemessen</translation>
    </message>
    <message>
      <source>all features measured {heard} times</source>
      <translation>alle Merkmale {heard} Mal gemessen</translation>
    </message>
    <message>
      <source>all features {value}</source>
      <translation>alle Merkmale {value}</translation>
    </message>
    <message>
      <source>all features: AUC {area} ± {spread}</source>
      <translation>alle Merkmale: AUC {area} ± {spread}</translation>
    </message>
    <message>
      <source>all of another table than the one that was learned from</source>
      <translation>alle aus einer anderen Tabelle als der, von der gelernt wurde</translation>
    </message>
    <message>
      <source>all sizes</source>
      <translation>alle Größen</translation>
    </message>
    <message>
      <source>all sizes, confirmed</source>
      <translation>alle Größen, bestätigt</translation>
    </message>
    <message>
      <source>all {count:,} features</source>
      <translation>alle {count:,} Merkmale</translation>
    </message>
    <message>
      <source>all {count} features</source>
      <translation>alle {count} Merkmale</translation>
    </message>
    <message>
      <source>all {count} features, about {some} in a line</source>
      <translation>alle {count} Merkmale, etwa {some} je Linie</translation>
    </message>
    <message>
      <source>all {known} iterations done</source>
      <translation>alle {known} Iterationen getan</translation>
    </message>
    <message>
      <source>all {max_iterations} generations done</source>
      <translation>alle {max_iterations} Generationen getan</translation>
    </message>
    <message>
      <source>all {max_iterations} iterations done</source>
      <translation>alle {max_iterations} Iterationen getan</translation>
    </message>
    <message>
      <source>all {max_iterations} moves done</source>
      <translation>alle {max_iterations} Züge getan</translation>
    </message>
    <message>
      <source>all {max_iterations} temperatures done</source>
      <translation>alle {max_iterations} Temperaturen durchlaufen</translation>
    </message>
    <message>
      <source>all {steps} steps done</source>
      <translation>alle {steps} Schritte getan</translation>
    </message>
    <message>
      <source>all {taken} subsets measured</source>
      <translation>alle {taken} Teilmengen gemessen</translation>
    </message>
    <message>
      <source>always in</source>
      <translation>immer drin</translation>
    </message>
    <message>
      <source>and {count} more runs</source>
      <translation>und {count} weitere Läufe</translation>
    </message>
    <message>
      <source>another process</source>
      <translation>ein anderer Prozess</translation>
    </message>
    <message>
      <source>another subset of {run}</source>
      <translation>eine andere Teilmenge von {run}</translation>
    </message>
    <message>
      <source>answer</source>
      <translation>Antwort</translation>
    </message>
    <message>
      <source>answer: {size:,}, {value}</source>
      <translation>Antwort: {size:,}, {value}</translation>
    </message>
    <message>
      <source>answering you</source>
      <translation>Antworten</translation>
    </message>
    <message>
      <source>any</source>
      <translation>beliebig</translation>
    </message>
    <message>
      <source>as BSPSA in the paper</source>
      <translation>wie BSPSA im Artikel</translation>
    </message>
    <message>
      <source>as BSPSA in the paper: a tenth of the iterations</source>
      <translation>wie BSPSA im Artikel: ein Zehntel der Iterationen</translation>
    </message>
    <message>
      <source>as BSPSA in the paper; it stays the same, for a smaller push changes no subset</source>
      <translation>wie BSPSA im Artikel; bleibt gleich, denn ein kleinerer Stoß ändert keine Teilmenge</translation>
    </message>
    <message>
      <source>as good</source>
      <translation>gleich gut</translation>
    </message>
    <message>
      <source>as many as the paper's BSPSA takes at the most: 3000 small, 9000 large</source>
      <translation>so viele wie BSPSA im Artikel höchstens braucht: 3000 klein, 9000 groß</translation>
    </message>
    <message>
      <source>as many measurements as the paper allows the genetic algorithm</source>
      <translation>so viele Messungen, wie der Artikel dem genetischen Algorithmus erlaubt</translation>
    </message>
    <message>
      <source>as the paper's genetic algorithm</source>
      <translation>wie beim genetischen Algorithmus des Artikels</translation>
    </message>
    <message>
      <source>as the run</source>
      <translation>wie Lauf</translation>
    </message>
    <message>
      <source>at first {minutes} minutes</source>
      <translation>anfangs {minutes} Minuten</translation>
    </message>
    <message>
      <source>at most {time} left</source>
      <translation>max. noch {time}</translation>
    </message>
    <message>
      <source>auto</source>
      <translation>auto</translation>
    </message>
    <message>
      <source>average of {count}</source>
      <translation>Mittel aus {count}</translation>
    </message>
    <message>
      <source>average {value:.3g}{unit}</source>
      <translation>Mittelwert {value:.3g}{unit}</translation>
    </message>
    <message>
      <source>bar-separated</source>
      <translation>durch Striche getrennt</translation>
    </message>
    <message>
      <source>baseline</source>
      <translation>Vergleichslinie</translation>
    </message>
    <message>
      <source>began from a given subset, which may have been found on these very rows</source>
      <translation>begann mit einer gegebenen Auswahl, die vielleicht auf eben diesen Zeilen gefunden wurde</translation>
    </message>
    <message>
      <source>being worked out</source>
      <translation>wird bestimmt</translation>
    </message>
    <message>
      <source>best so far</source>
      <translation>bisher bestes</translation>
    </message>
    <message>
      <source>better than 0.5 and 0.75 on our planted problems</source>
      <translation>besser als 0,5 und 0,75 bei unseren künstlichen Aufgaben</translation>
    </message>
    <message>
      <source>better than 0.5 on our planted problems; makes the temperature fit the scale of any criterion</source>
      <translation>besser als 0,5 bei unseren künstlichen Aufgaben; passt die Temperatur an die Skala jedes Kriteriums an</translation>
    </message>
    <message>
      <source>better than 3 and 5 on our planted problems</source>
      <translation>besser als 3 und 5 bei unseren künstlichen Aufgaben</translation>
    </message>
    <message>
      <source>better than all features by {gain} ({low} to {high})</source>
      <translation>um {gain} ({low} bis {high}) besser als alle Merkmale</translation>
    </message>
    <message>
      <source>beyond shadows</source>
      <translation>jenseits der Schatten</translation>
    </message>
    <message>
      <source>brings the noise of a measurement down to a third</source>
      <translation>senkt das Rauschen einer Messung auf ein Drittel</translation>
    </message>
    <message>
      <source>built from {commit}</source>
      <translation>gebaut aus {commit}</translation>
    </message>
    <message>
      <source>cannot be trained</source>
      <translation>kann nicht trainiert werden</translation>
    </message>
    <message>
      <source>check the connection to the internet, or open a table from a file</source>
      <translation>prüfen Sie die Verbindung zum Internet, oder öffnen Sie eine Tabelle aus einer Datei</translation>
    </message>
    <message>
      <source>choose one of: {paths}</source>
      <translation>wählen Sie eines von: {paths}</translation>
    </message>
    <message>
      <source>chooses by the number of features</source>
      <translation>nach der Anzahl der Merkmale</translation>
    </message>
    <message>
      <source>class and area under its curve</source>
      <translation>Klasse und Fläche unter ihrer Kurve</translation>
    </message>
    <message>
      <source>classes</source>
      <translation>Klassen</translation>
    </message>
    <message>
      <source>click to take this subset</source>
      <translation>klicken Sie, um diese Teilmenge zu nehmen</translation>
    </message>
    <message>
      <source>closing</source>
      <translation>Schließen</translation>
    </message>
    <message>
      <source>coarse</source>
      <translation>grob</translation>
    </message>
    <message>
      <source>comma-separated</source>
      <translation>durch Kommas getrennt</translation>
    </message>
    <message>
      <source>critical difference {value}</source>
      <translation>kritische Differenz {value}</translation>
    </message>
    <message>
      <source>decimal comma</source>
      <translation>Dezimalkomma</translation>
    </message>
    <message>
      <source>default</source>
      <translation>Standard</translation>
    </message>
    <message>
      <source>deleting runs</source>
      <translation>Löschen der Läufe</translation>
    </message>
    <message>
      <source>drawing the selected features</source>
      <translation>Zeichnen der gewählten Merkmale</translation>
    </message>
    <message>
      <source>draws them all</source>
      <translation>alle werden gezogen</translation>
    </message>
    <message>
      <source>dropped out</source>
      <translation>ausgeschieden</translation>
    </message>
    <message>
      <source>each feature alone: {done} of {total}</source>
      <translation>jedes Merkmal allein: {done} von {total}</translation>
    </message>
    <message>
      <source>each held out while strategies were searched for and chosen</source>
      <translation>jede zurückgehalten, während Strategien gesucht und gewählt wurden</translation>
    </message>
    <message>
      <source>each is filled inside every training fold by the median or the most frequent category</source>
      <translation>jeder wird in jedem Trainingsfold durch den Median oder die häufigste Kategorie ersetzt</translation>
    </message>
    <message>
      <source>each predicted by a whole search on the other rows, in {folds} outer folds</source>
      <translation>jede vorhergesagt von einer ganzen Suche auf den anderen Zeilen, in {folds} äußeren Folds</translation>
    </message>
    <message>
      <source>each step</source>
      <translation>jeder Schritt</translation>
    </message>
    <message>
      <source>enough for a standard error of their mean; 1 in the paper</source>
      <translation>genug für einen Standardfehler ihres Mittels; 1 im Artikel</translation>
    </message>
    <message>
      <source>enough to bring the noise of a measurement down to a third</source>
      <translation>genug, um das Rauschen einer Messung auf ein Drittel zu senken</translation>
    </message>
    <message>
      <source>enough to hold the best one</source>
      <translation>genug, dass die beste darunter ist</translation>
    </message>
    <message>
      <source>enough to keep some cores busy</source>
      <translation>genug, um einige Kerne zu beschäftigen</translation>
    </message>
    <message>
      <source>equal medians</source>
      <translation>gleiche Mediane</translation>
    </message>
    <message>
      <source>every measurement failed.</source>
      <translation>jede Messung schlug fehl.</translation>
    </message>
    <message>
      <source>every subset measured</source>
      <translation>jede Teilmenge gemessen</translation>
    </message>
    <message>
      <source>every subset of at most {high} features measured</source>
      <translation>jede Teilmenge von höchstens {high} Merkmalen gemessen</translation>
    </message>
    <message>
      <source>every subset of {high} features measured</source>
      <translation>jede Teilmenge von {high} Merkmalen gemessen</translation>
    </message>
    <message>
      <source>every subset of {low} to {high} features measured</source>
      <translation>jede Teilmenge von {low} bis {high} Merkmalen gemessen</translation>
    </message>
    <message>
      <source>exit code {exit_code}</source>
      <translation>Rückgabewert {exit_code}</translation>
    </message>
    <message>
      <source>exporting</source>
      <translation>Exportieren</translation>
    </message>
    <message>
      <source>failed, can be resumed</source>
      <translation>fehlgeschlagen, fortsetzbar</translation>
    </message>
    <message>
      <source>failed: {reason}</source>
      <translation>fehlgeschlagen: {reason}</translation>
    </message>
    <message>
      <source>false positive rate</source>
      <translation>Falsch-positiv-Rate</translation>
    </message>
    <message>
      <source>features</source>
      <translation>Merkmale</translation>
    </message>
    <message>
      <source>features in rows</source>
      <translation>Merkmale in Zeilen</translation>
    </message>
    <message>
      <source>features selected</source>
      <translation>Merkmale ausgewählt</translation>
    </message>
    <message>
      <source>few, for they are measured often</source>
      <translation>wenige, denn sie werden oft gemessen</translation>
    </message>
    <message>
      <source>fewer than {few} features were left after round {number}</source>
      <translation>nach Runde {number} waren weniger als {few} Merkmale übrig</translation>
    </message>
    <message>
      <source>fewest features</source>
      <translation>wenigste Merkmale</translation>
    </message>
    <message>
      <source>finalists</source>
      <translation>Finalisten</translation>
    </message>
    <message>
      <source>fine</source>
      <translation>fein</translation>
    </message>
    <message>
      <source>finished</source>
      <translation>beendet</translation>
    </message>
    <message>
      <source>finished, nothing could be measured</source>
      <translation>beendet, nichts ließ sich messen</translation>
    </message>
    <message>
      <source>five halvings of the gap between two sizes</source>
      <translation>fünf Halbierungen der Lücke zwischen zwei Größen</translation>
    </message>
    <message>
      <source>fold {fold} of {folds}, {share:.0f} %</source>
      <translation>Fold {fold} von {folds}, {share:.0f} %</translation>
    </message>
    <message>
      <source>folds</source>
      <translation>Folds</translation>
    </message>
    <message>
      <source>for features with tiny values</source>
      <translation>für Merkmale mit winzigen Werten</translation>
    </message>
    <message>
      <source>for none</source>
      <translation>keine</translation>
    </message>
    <message>
      <source>forest</source>
      <translation>forest</translation>
    </message>
    <message>
      <source>forest importance</source>
      <translation>Wichtigkeit im Wald</translation>
    </message>
    <message>
      <source>fresh measurements: {done} of {total}</source>
      <translation>neue Messungen: {done} von {total}</translation>
    </message>
    <message>
      <source>from measurement {number} on: {what}</source>
      <translation>ab Messung {number}: {what}</translation>
    </message>
    <message>
      <source>fsdesk ended unexpectedly while "{name}" was open.</source>
      <translation>fsdesk endete unerwartet, während „{name}“ offen war.</translation>
    </message>
    <message>
      <source>fsdesk ended unexpectedly while it worked on "{name}". Nothing measured is lost.</source>
      <translation>fsdesk endete unerwartet während der Arbeit an „{name}“. Nichts Gemessenes ist verloren.</translation>
    </message>
    <message>
      <source>fsdesk projects</source>
      <translation>fsdesk-Projekte</translation>
    </message>
    <message>
      <source>generations</source>
      <translation>Generationen</translation>
    </message>
    <message>
      <source>goes by how long the model takes to fit</source>
      <translation>richtet sich danach, wie lange das Modell zum Trainieren braucht</translation>
    </message>
    <message>
      <source>goes by the number of steps</source>
      <translation>richtet sich nach der Zahl der Schritte</translation>
    </message>
    <message>
      <source>goes on to the end</source>
      <translation>geht bis zum Ende</translation>
    </message>
    <message>
      <source>goes through all sizes</source>
      <translation>geht durch alle Größen</translation>
    </message>
    <message>
      <source>going on with the run</source>
      <translation>Fortsetzen des Laufs</translation>
    </message>
    <message>
      <source>group {number}</source>
      <translation>Gruppe {number}</translation>
    </message>
    <message>
      <source>groups</source>
      <translation>Gruppen</translation>
    </message>
    <message>
      <source>higher in {name}</source>
      <translation>höher in {name}</translation>
    </message>
    <message>
      <source>higher with larger {target}</source>
      <translation>höher bei größerem {target}</translation>
    </message>
    <message>
      <source>higher with smaller {target}</source>
      <translation>höher bei kleinerem {target}</translation>
    </message>
    <message>
      <source>hinge: LIBSVM and MATLAB; squared hinge: LIBLINEAR's LinearSVC, whose bias is penalised</source>
      <translation>Hinge: LIBSVM und MATLAB; quadratisch: LinearSVC von LIBLINEAR, dessen Achsenabschnitt bestraft wird</translation>
    </message>
    <message>
      <source>honest error on planted and real tables (see the table of methods in tests/bench)</source>
      <translation>ehrlicher Fehler auf künstlichen und echten Tabellen (siehe die Tabelle der Methoden in tests/bench)</translation>
    </message>
    <message>
      <source>ignores the guide</source>
      <translation>ohne den Wegweiser</translation>
    </message>
    <message>
      <source>ignores the pheromone</source>
      <translation>ohne das Pheromon</translation>
    </message>
    <message>
      <source>in</source>
      <translation>ein</translation>
    </message>
    <message>
      <source>in (1) or out (0)</source>
      <translation>drin (1) oder draußen (0)</translation>
    </message>
    <message>
      <source>in the search</source>
      <translation>in der Suche</translation>
    </message>
    <message>
      <source>in {share} of the subsets tried</source>
      <translation>in {share} der probierten Teilmengen</translation>
    </message>
    <message>
      <source>interrupted, can be resumed</source>
      <translation>unterbrochen, fortsetzbar</translation>
    </message>
    <message>
      <source>it did not answer in time</source>
      <translation>keine Antwort in der vorgesehenen Zeit</translation>
    </message>
    <message>
      <source>it ends when its method has nothing left to try</source>
      <translation>endet, wenn das Verfahren nichts mehr zu probieren hat</translation>
    </message>
    <message>
      <source>it has no limit of iterations</source>
      <translation>hat keine Grenze für Iterationen</translation>
    </message>
    <message>
      <source>it has no limit of time</source>
      <translation>hat keine Zeitgrenze</translation>
    </message>
    <message>
      <source>it holds no matrix</source>
      <translation>die Datei enthält keine Matrix</translation>
    </message>
    <message>
      <source>it holds {variables}</source>
      <translation>sie enthält {variables}</translation>
    </message>
    <message>
      <source>it is below min_size, which is {smallest}; raise it, or set it to 0 for no limit</source>
      <translation>der Wert liegt unter min_size ({smallest}); erhöhen Sie ihn, oder setzen Sie ihn für keine Grenze auf 0</translation>
    </message>
    <message>
      <source>it must be at least {limits}</source>
      <translation>der Wert muss mindestens {limits} sein</translation>
    </message>
    <message>
      <source>it must be at most {limits}</source>
      <translation>der Wert darf höchstens {limits} sein</translation>
    </message>
    <message>
      <source>it must be finite</source>
      <translation>der Wert muss endlich sein</translation>
    </message>
    <message>
      <source>it must be less than {limits}</source>
      <translation>der Wert muss kleiner als {limits} sein</translation>
    </message>
    <message>
      <source>it must be more than {limits}</source>
      <translation>der Wert muss größer als {limits} sein</translation>
    </message>
    <message>
      <source>it must be one of {value}</source>
      <translation>möglich sind {value}</translation>
    </message>
    <message>
      <source>it was killed, perhaps because memory ran out</source>
      <translation>er wurde beendet, vielleicht weil der Speicher ausging</translation>
    </message>
    <message>
      <source>iteration</source>
      <translation>Iteration</translation>
    </message>
    <message>
      <source>iteration 0</source>
      <translation>Iteration 0</translation>
    </message>
    <message>
      <source>iteration {number:,}</source>
      <translation>Iteration {number:,}</translation>
    </message>
    <message>
      <source>iterations</source>
      <translation>Iterationen</translation>
    </message>
    <message>
      <source>its address cannot be found</source>
      <translation>die Adresse ist nicht zu finden</translation>
    </message>
    <message>
      <source>its certificate is not trusted</source>
      <translation>dem Zertifikat wird nicht vertraut</translation>
    </message>
    <message>
      <source>its log does not begin with a spec</source>
      <translation>sein Protokoll beginnt nicht mit den Angaben zum Lauf</translation>
    </message>
    <message>
      <source>keeping the honest error</source>
      <translation>Aufbewahren des ehrlichen Fehlers</translation>
    </message>
    <message>
      <source>keeping the list of runs</source>
      <translation>Aufbewahren der Liste der Läufe</translation>
    </message>
    <message>
      <source>keeping the state of the run</source>
      <translation>Aufbewahren des Laufzustands</translation>
    </message>
    <message>
      <source>keeping what is known about the features</source>
      <translation>Aufbewahren dessen, was über die Merkmale bekannt ist</translation>
    </message>
    <message>
      <source>keeps the best on the folds searched</source>
      <translation>behält das Beste auf den Folds der Suche</translation>
    </message>
    <message>
      <source>keeps the matrix positive definite, as Spall 2000 asks</source>
      <translation>hält die Matrix positiv definit, wie Spall 2000 es verlangt</translation>
    </message>
    <message>
      <source>kept for you, not saved under a name yet</source>
      <translation>für Sie aufbewahrt, noch ohne Namen</translation>
    </message>
    <message>
      <source>l1</source>
      <translation>l1</translation>
    </message>
    <message>
      <source>labels from {source}</source>
      <translation>Klassen aus {source}</translation>
    </message>
    <message>
      <source>large</source>
      <translation>groß</translation>
    </message>
    <message>
      <source>leaves it to the method's limits</source>
      <translation>nach den Grenzen des Verfahrens</translation>
    </message>
    <message>
      <source>leaves it to the rows held out</source>
      <translation>überlässt es den zurückgehaltenen Zeilen</translation>
    </message>
    <message>
      <source>leaves it to the search</source>
      <translation>entscheidet die Suche</translation>
    </message>
    <message>
      <source>less than {limit:.1f}</source>
      <translation>weniger als {limit:.1f}</translation>
    </message>
    <message>
      <source>lets the search decide</source>
      <translation>entscheidet die Suche</translation>
    </message>
    <message>
      <source>loading the settings</source>
      <translation>Laden der Einstellungen</translation>
    </message>
    <message>
      <source>looking at the column</source>
      <translation>Betrachten der Spalte</translation>
    </message>
    <message>
      <source>looking at the columns</source>
      <translation>Betrachten der Spalten</translation>
    </message>
    <message>
      <source>looking at the feature</source>
      <translation>Betrachten des Merkmals</translation>
    </message>
    <message>
      <source>looking at the result</source>
      <translation>Betrachten des Ergebnisses</translation>
    </message>
    <message>
      <source>looking at the target</source>
      <translation>Betrachten der Zielgröße</translation>
    </message>
    <message>
      <source>looking for what was interrupted</source>
      <translation>Suchen nach Unterbrochenem</translation>
    </message>
    <message>
      <source>mRMR</source>
      <translation>mRMR</translation>
    </message>
    <message>
      <source>made-up expression data</source>
      <translation>erfundene Expressionsdaten</translation>
    </message>
    <message>
      <source>making a copy</source>
      <translation>Kopieren</translation>
    </message>
    <message>
      <source>measured on the paper's data sets at equal budgets</source>
      <translation>auf den Datensätzen des Artikels mit gleichen Budgets gemessen</translation>
    </message>
    <message>
      <source>measured on the paper's data sets at equal budgets: 3 small, 1 large</source>
      <translation>auf den Datensätzen des Artikels mit gleichen Budgets gemessen: 3 klein, 1 groß</translation>
    </message>
    <message>
      <source>measurement {number:,}</source>
      <translation>Messung {number:,}</translation>
    </message>
    <message>
      <source>measurements in {count:,} iterations</source>
      <translation>Messungen in {count:,} Iterationen</translation>
    </message>
    <message>
      <source>measurements taken</source>
      <translation>gemachte Messungen</translation>
    </message>
    <message>
      <source>measuring how long a run takes</source>
      <translation>Messen, wie lange ein Lauf dauert</translation>
    </message>
    <message>
      <source>measuring the answer again</source>
      <translation>Nachmessen der Antwort</translation>
    </message>
    <message>
      <source>measuring the honest error</source>
      <translation>Messen des ehrlichen Fehlers</translation>
    </message>
    <message>
      <source>measuring the memory</source>
      <translation>Messen des Arbeitsspeichers</translation>
    </message>
    <message>
      <source>median {value:.4g}</source>
      <translation>Median {value:.4g}</translation>
    </message>
    <message>
      <source>medians: {medians}</source>
      <translation>Mediane: {medians}</translation>
    </message>
    <message>
      <source>minutes</source>
      <translation>Minuten</translation>
    </message>
    <message>
      <source>missing</source>
      <translation>fehlend</translation>
    </message>
    <message>
      <source>more iterations</source>
      <translation>weitere Iterationen</translation>
    </message>
    <message>
      <source>more measurements</source>
      <translation>weitere Messungen</translation>
    </message>
    <message>
      <source>more minutes</source>
      <translation>weitere Minuten</translation>
    </message>
    <message>
      <source>moves</source>
      <translation>Züge</translation>
    </message>
    <message>
      <source>moving average</source>
      <translation>gleitender Mittelwert</translation>
    </message>
    <message>
      <source>mrmr</source>
      <translation>mrmr</translation>
    </message>
    <message>
      <source>mutual information</source>
      <translation>Transinformation</translation>
    </message>
    <message>
      <source>never in</source>
      <translation>nie drin</translation>
    </message>
    <message>
      <source>new for every measurement</source>
      <translation>neu für jede Messung</translation>
    </message>
    <message>
      <source>no</source>
      <translation>nein</translation>
    </message>
    <message>
      <source>no answer</source>
      <translation>keine Antwort</translation>
    </message>
    <message>
      <source>no average</source>
      <translation>kein Mittelwert</translation>
    </message>
    <message>
      <source>no better subset for more than {stall_limit} iterations</source>
      <translation>seit mehr als {stall_limit} Iterationen keine bessere Teilmenge</translation>
    </message>
    <message>
      <source>no better subset for more than {stall_limit} measurements</source>
      <translation>keine bessere Teilmenge über mehr als {stall_limit} Messungen</translation>
    </message>
    <message>
      <source>no better than all features (between {worse} worse and {better} better), with {selected} instead of {features}</source>
      <translation>nicht besser als alle Merkmale (von {worse} schlechter bis {better} besser), mit {selected} statt {features}</translation>
    </message>
    <message>
      <source>no better than chance ({chance})</source>
      <translation>nicht besser als Zufall ({chance})</translation>
    </message>
    <message>
      <source>no feature would be left to choose among</source>
      <translation>es bliebe kein Merkmal zur Wahl</translation>
    </message>
    <message>
      <source>no gain in {stalled} steps in a row</source>
      <translation>{stalled} Schritte hintereinander ohne Gewinn</translation>
    </message>
    <message>
      <source>no less than the temperatures: the end of the cooling is what finds the best subsets</source>
      <translation>nicht weniger als die Temperaturen: Das Ende der Abkühlung findet die besten Teilmengen</translation>
    </message>
    <message>
      <source>no limit</source>
      <translation>keine Grenze</translation>
    </message>
    <message>
      <source>no limit beyond the method's own</source>
      <translation>keine Grenze außer der des Verfahrens</translation>
    </message>
    <message>
      <source>no limit where the paper uses the method; a bound on wide tables</source>
      <translation>keine Grenze, wo der Artikel das Verfahren verwendet; eine Schranke bei breiten Tabellen</translation>
    </message>
    <message>
      <source>no result yet</source>
      <translation>noch kein Ergebnis</translation>
    </message>
    <message>
      <source>no value</source>
      <translation>kein Wert</translation>
    </message>
    <message>
      <source>none</source>
      <translation>keine</translation>
    </message>
    <message>
      <source>none is left out</source>
      <translation>keine ist weggelassen</translation>
    </message>
    <message>
      <source>none missing</source>
      <translation>keiner fehlt</translation>
    </message>
    <message>
      <source>none: as in the paper; it helps on very wide tables and hurts on others</source>
      <translation>keiner: wie im Artikel; hilft bei sehr breiten Tabellen und schadet bei anderen</translation>
    </message>
    <message>
      <source>none: every row counts alike</source>
      <translation>keine: jede Zeile zählt gleich</translation>
    </message>
    <message>
      <source>none: every vote alike; scikit-learn's KNeighborsClassifier has no class weights</source>
      <translation>keine: jede Stimme gleich; KNeighborsClassifier von scikit-learn hat keine Klassengewichte</translation>
    </message>
    <message>
      <source>not begun yet</source>
      <translation>noch nicht begonnen</translation>
    </message>
    <message>
      <source>not done, {refused}: {text}</source>
      <translation>nicht getan, {refused}: {text}</translation>
    </message>
    <message>
      <source>not finished, in the other window</source>
      <translation>nicht beendet, im anderen Fenster</translation>
    </message>
    <message>
      <source>not found: moved or deleted, was in {folder}</source>
      <translation>nicht gefunden: verschoben oder gelöscht, war in {folder}</translation>
    </message>
    <message>
      <source>not measured</source>
      <translation>nicht gemessen</translation>
    </message>
    <message>
      <source>not saved under a name</source>
      <translation>nicht unter einem Namen gespeichert</translation>
    </message>
    <message>
      <source>not selected</source>
      <translation>nicht gewählt</translation>
    </message>
    <message>
      <source>not validated yet</source>
      <translation>noch nicht validiert</translation>
    </message>
    <message>
      <source>nothing</source>
      <translation>nichts</translation>
    </message>
    <message>
      <source>nothing is different from before</source>
      <translation>nichts ist anders als vorher</translation>
    </message>
    <message>
      <source>nothing missing</source>
      <translation>nichts fehlt</translation>
    </message>
    <message>
      <source>nothing to download</source>
      <translation>nichts herunterzuladen</translation>
    </message>
    <message>
      <source>now at most {most}</source>
      <translation>jetzt höchstens {most}</translation>
    </message>
    <message>
      <source>now {value}</source>
      <translation>jetzt {value}</translation>
    </message>
    <message>
      <source>number</source>
      <translation>Zahl</translation>
    </message>
    <message>
      <source>number of features</source>
      <translation>Anzahl der Merkmale</translation>
    </message>
    <message>
      <source>number {number}</source>
      <translation>Nummer {number}</translation>
    </message>
    <message>
      <source>numbers</source>
      <translation>Zahlen</translation>
    </message>
    <message>
      <source>numbers from {low:.4g} to {high:.4g}</source>
      <translation>Zahlen von {low:.4g} bis {high:.4g}</translation>
    </message>
    <message>
      <source>numbers from {low:.4g} to {high:.4g}, median {middle:.4g}, standard deviation {spread:.4g}</source>
      <translation>Zahlen von {low:.4g} bis {high:.4g}, Median {middle:.4g}, Standardabweichung {spread:.4g}</translation>
    </message>
    <message>
      <source>observed</source>
      <translation>beobachtet</translation>
    </message>
    <message>
      <source>of a project, the first {count} shown; open its table to see all</source>
      <translation>eines Projekts, davon gezeigt: {count}; öffnen Sie die Tabelle, um alle zu sehen</translation>
    </message>
    <message>
      <source>of {count:,}</source>
      <translation>von {count:,}</translation>
    </message>
    <message>
      <source>off</source>
      <translation>aus</translation>
    </message>
    <message>
      <source>off: as in the paper, all repeats are taken</source>
      <translation>aus: wie im Artikel werden alle Wiederholungen gemessen</translation>
    </message>
    <message>
      <source>off: it restarts instead, as in Aksakalli et al. 2021</source>
      <translation>aus: Sie beginnt stattdessen neu, wie in Aksakalli et al. 2021</translation>
    </message>
    <message>
      <source>off: rows held out alone decide; shadows are what Boruta goes by</source>
      <translation>aus: allein zurückgehaltene Zeilen entscheiden; nach Schatten geht Boruta</translation>
    </message>
    <message>
      <source>off: the classical method; on: O. Ledoit and M. Wolf, J. Multivariate Anal. 88 (2004)</source>
      <translation>aus: das klassische Verfahren; ein: O. Ledoit und M. Wolf, J. Multivariate Anal. 88 (2004)</translation>
    </message>
    <message>
      <source>off: the paper minimises the error alone</source>
      <translation>aus: der Artikel minimiert nur den Fehler</translation>
    </message>
    <message>
      <source>off: the plan is made for all of the measurements</source>
      <translation>aus: Der Plan ist für alle Messungen gemacht</translation>
    </message>
    <message>
      <source>off: what other methods are compared with spends all of its budget</source>
      <translation>aus: Womit andere Verfahren verglichen werden, schöpft seine Messungen aus</translation>
    </message>
    <message>
      <source>on fresh folds</source>
      <translation>auf neuen Folds</translation>
    </message>
    <message>
      <source>on the rows that chose the features</source>
      <translation>auf den Zeilen, die zur Auswahl dienten</translation>
    </message>
    <message>
      <source>on {host}</source>
      <translation>auf {host}</translation>
    </message>
    <message>
      <source>one</source>
      <translation>eines</translation>
    </message>
    <message>
      <source>one column</source>
      <translation>eine Spalte</translation>
    </message>
    <message>
      <source>one feature at a time; more where there are hundreds</source>
      <translation>ein Merkmal auf einmal; mehr bei Hunderten</translation>
    </message>
    <message>
      <source>one size measured</source>
      <translation>eine Größe gemessen</translation>
    </message>
    <message>
      <source>opening the project</source>
      <translation>Öffnen des Projekts</translation>
    </message>
    <message>
      <source>opening the sample</source>
      <translation>Öffnen des Beispiels</translation>
    </message>
    <message>
      <source>opening what was open</source>
      <translation>Öffnen dessen, was offen war</translation>
    </message>
    <message>
      <source>opening {name}</source>
      <translation>Öffnen von {name}</translation>
    </message>
    <message>
      <source>opening {name} from OpenML</source>
      <translation>Öffnen von {name} aus OpenML</translation>
    </message>
    <message>
      <source>or 1 only a/c^2 matters</source>
      <translation>oder 1, nur a/c^2 zählt</translation>
    </message>
    <message>
      <source>ordering the features</source>
      <translation>Ordnen der Merkmale</translation>
    </message>
    <message>
      <source>other rows</source>
      <translation>andere Zeilen</translation>
    </message>
    <message>
      <source>others</source>
      <translation>andere</translation>
    </message>
    <message>
      <source>out</source>
      <translation>aus</translation>
    </message>
    <message>
      <source>paper</source>
      <translation>Artikel</translation>
    </message>
    <message>
      <source>paper's budget, large</source>
      <translation>Budget des Artikels, groß</translation>
    </message>
    <message>
      <source>paper's budget, small</source>
      <translation>Budget des Artikels, klein</translation>
    </message>
    <message>
      <source>paper, introduction: one feature at a time, until no step improves the criterion</source>
      <translation>Artikel, Einleitung: ein Merkmal auf einmal, bis kein Schritt das Kriterium verbessert</translation>
    </message>
    <message>
      <source>paper, large</source>
      <translation>Artikel, groß</translation>
    </message>
    <message>
      <source>paper, large, c = 0.1</source>
      <translation>Artikel, groß, c = 0,1</translation>
    </message>
    <message>
      <source>paper, section Classifiers: 1-NN</source>
      <translation>Artikel, Abschnitt Classifiers: 1-NN</translation>
    </message>
    <message>
      <source>paper, section Classifiers: Euclidean</source>
      <translation>Artikel, Abschnitt Classifiers: euklidisch</translation>
    </message>
    <message>
      <source>paper, section Classifiers: linear SVM with the default C = 1</source>
      <translation>Artikel, Abschnitt Classifiers: lineare SVM mit dem Standard C = 1</translation>
    </message>
    <message>
      <source>paper, section Method Parameters</source>
      <translation>Artikel, Abschnitt Method Parameters</translation>
    </message>
    <message>
      <source>paper, section Method Parameters: 25 % of the iterations</source>
      <translation>Artikel, Abschnitt Method Parameters: 25 % der Iterationen</translation>
    </message>
    <message>
      <source>paper, section Method Parameters: the budget of its searches for small tables</source>
      <translation>Artikel, Abschnitt Method Parameters: das Budget seiner Suchen für kleine Tabellen</translation>
    </message>
    <message>
      <source>paper, section Method Parameters: two parents are combined via the XOR operator</source>
      <translation>Artikel, Abschnitt Method Parameters: Zwei Eltern werden mit dem XOR-Operator verbunden</translation>
    </message>
    <message>
      <source>paper, section Performance Criterion</source>
      <translation>Artikel, Abschnitt Performance Criterion</translation>
    </message>
    <message>
      <source>paper, section Performance Criterion: error</source>
      <translation>Artikel, Abschnitt Performance Criterion: Fehler</translation>
    </message>
    <message>
      <source>paper, small</source>
      <translation>Artikel, klein</translation>
    </message>
    <message>
      <source>paper, table of BGA parameters</source>
      <translation>Artikel, Tabelle der BGA-Parameter</translation>
    </message>
    <message>
      <source>paper, table of BSPSA and CSPSA parameters</source>
      <translation>Artikel, Tabelle der BSPSA- und CSPSA-Parameter</translation>
    </message>
    <message>
      <source>paper, table of BSPSA and CSPSA parameters: 100 small, 300 large</source>
      <translation>Artikel, Tabelle der BSPSA- und CSPSA-Parameter: 100 klein, 300 groß</translation>
    </message>
    <message>
      <source>paper: 10 repeats</source>
      <translation>Artikel: 10 Wiederholungen</translation>
    </message>
    <message>
      <source>paper: 5 folds</source>
      <translation>Artikel: 5 Folds</translation>
    </message>
    <message>
      <source>paper: at every step</source>
      <translation>Artikel: bei jedem Schritt</translation>
    </message>
    <message>
      <source>paper: cross-validation</source>
      <translation>Artikel: Kreuzvalidierung</translation>
    </message>
    <message>
      <source>paper: left for future work; J. L. Maryak and D. C. Chin, IEEE Trans. Automatic Control 53 (2008)</source>
      <translation>Artikel: künftiger Arbeit überlassen; J. L. Maryak und D. C. Chin, IEEE Trans. Automatic Control 53 (2008)</translation>
    </message>
    <message>
      <source>paper: not part of the method as printed</source>
      <translation>Artikel: nicht Teil des gedruckten Verfahrens</translation>
    </message>
    <message>
      <source>paper: standardised features</source>
      <translation>Artikel: standardisierte Merkmale</translation>
    </message>
    <message>
      <source>paper: the smallest measurement</source>
      <translation>Artikel: die kleinste Messung</translation>
    </message>
    <message>
      <source>paused</source>
      <translation>angehalten</translation>
    </message>
    <message>
      <source>plain: the pheromone alone; Al-Ani 2005 has a mutual information</source>
      <translation>schlicht: nur das Pheromon; Al-Ani 2005 hat eine Transinformation</translation>
    </message>
    <message>
      <source>precise</source>
      <translation>genau</translation>
    </message>
    <message>
      <source>predicted</source>
      <translation>vorhergesagt</translation>
    </message>
    <message>
      <source>predicted less observed</source>
      <translation>vorhergesagt minus beobachtet</translation>
    </message>
    <message>
      <source>preparing the data</source>
      <translation>Vorbereiten der Daten</translation>
    </message>
    <message>
      <source>process {pid}</source>
      <translation>Prozess {pid}</translation>
    </message>
    <message>
      <source>queueing runs</source>
      <translation>Einreihen der Läufe</translation>
    </message>
    <message>
      <source>quick</source>
      <translation>schnell</translation>
    </message>
    <message>
      <source>range</source>
      <translation>Bereich</translation>
    </message>
    <message>
      <source>read only</source>
      <translation>nur lesbar</translation>
    </message>
    <message>
      <source>reading along</source>
      <translation>Mitlesen</translation>
    </message>
    <message>
      <source>reading the descriptions</source>
      <translation>Lesen der Beschreibungen</translation>
    </message>
    <message>
      <source>reading the steps of the run</source>
      <translation>Lesen der Schritte des Laufs</translation>
    </message>
    <message>
      <source>reading the steps …</source>
      <translation>Schritte werden gelesen …</translation>
    </message>
    <message>
      <source>reading the versions</source>
      <translation>Lesen der Versionen</translation>
    </message>
    <message>
      <source>reading what is known about the features</source>
      <translation>Lesen dessen, was über die Merkmale bekannt ist</translation>
    </message>
    <message>
      <source>reading {name}</source>
      <translation>Lesen von {name}</translation>
    </message>
    <message>
      <source>recommended</source>
      <translation>empfohlen</translation>
    </message>
    <message>
      <source>recommended, large</source>
      <translation>empfohlen, groß</translation>
    </message>
    <message>
      <source>recommended, small</source>
      <translation>empfohlen, klein</translation>
    </message>
    <message>
      <source>resuming the run</source>
      <translation>Fortsetzen des Laufs</translation>
    </message>
    <message>
      <source>rfe</source>
      <translation>rfe</translation>
    </message>
    <message>
      <source>rows ordered in time</source>
      <translation>Zeilen in zeitlicher Ordnung</translation>
    </message>
    <message>
      <source>run {number}</source>
      <translation>Lauf {number}</translation>
    </message>
    <message>
      <source>running</source>
      <translation>läuft</translation>
    </message>
    <message>
      <source>sample data of scikit-learn</source>
      <translation>Beispieldaten von scikit-learn</translation>
    </message>
    <message>
      <source>save it again, with save(..., "-v7") if it is small</source>
      <translation>sichern Sie sie noch einmal, mit save(..., "-v7"), wenn sie klein ist</translation>
    </message>
    <message>
      <source>saving the comparison</source>
      <translation>Speichern des Vergleichs</translation>
    </message>
    <message>
      <source>saving the curves</source>
      <translation>Speichern der Kurven</translation>
    </message>
    <message>
      <source>saving the heatmap</source>
      <translation>Speichern der Heatmap</translation>
    </message>
    <message>
      <source>saving the project</source>
      <translation>Speichern des Projekts</translation>
    </message>
    <message>
      <source>saving the settings</source>
      <translation>Speichern der Einstellungen</translation>
    </message>
    <message>
      <source>scikit-learn has no model "{name}": give the name of a class, such as RandomForestClassifier or Ridge.</source>
      <translation>scikit-learn hat kein Modell „{name}“: Geben Sie den Namen einer Klasse, wie RandomForestClassifier oder Ridge.</translation>
    </message>
    <message>
      <source>scikit-learn model</source>
      <translation>scikit-learn-Modell</translation>
    </message>
    <message>
      <source>scikit-learn's KNeighborsClassifier; makes no difference with one neighbour</source>
      <translation>KNeighborsClassifier von scikit-learn; bei einem Nachbarn ohne Unterschied</translation>
    </message>
    <message>
      <source>scikit-learn's default</source>
      <translation>Standard von scikit-learn</translation>
    </message>
    <message>
      <source>scikit-learn's default: priors of the rows</source>
      <translation>Standard von scikit-learn: Anteile wie unter den Zeilen</translation>
    </message>
    <message>
      <source>scikit-learn's own defaults</source>
      <translation>Standardwerte von scikit-learn</translation>
    </message>
    <message>
      <source>scikit-learn: class_weight</source>
      <translation>scikit-learn: class_weight</translation>
    </message>
    <message>
      <source>scikit-learn: gini</source>
      <translation>scikit-learn: gini</translation>
    </message>
    <message>
      <source>scikit-learn: min_samples_leaf = 1</source>
      <translation>scikit-learn: min_samples_leaf = 1</translation>
    </message>
    <message>
      <source>scikit-learn: min_samples_split = 2</source>
      <translation>scikit-learn: min_samples_split = 2</translation>
    </message>
    <message>
      <source>scikit-learn: no limit</source>
      <translation>scikit-learn: keine Grenze</translation>
    </message>
    <message>
      <source>see its own files</source>
      <translation>siehe die Dateien des Pakets</translation>
    </message>
    <message>
      <source>seed {first}</source>
      <translation>Startwert {first}</translation>
    </message>
    <message>
      <source>seed {seed}</source>
      <translation>Startwert {seed}</translation>
    </message>
    <message>
      <source>seeds {first} to {last}</source>
      <translation>Startwerte {first} bis {last}</translation>
    </message>
    <message>
      <source>selected</source>
      <translation>gewählt</translation>
    </message>
    <message>
      <source>semicolon-separated</source>
      <translation>durch Semikolons getrennt</translation>
    </message>
    <message>
      <source>set aside</source>
      <translation>beiseite</translation>
    </message>
    <message>
      <source>sets no limit</source>
      <translation>keine Grenze</translation>
    </message>
    <message>
      <source>sets no limit beyond the number of features</source>
      <translation>keine Grenze außer der Anzahl der Merkmale</translation>
    </message>
    <message>
      <source>setting</source>
      <translation>Einstellung</translation>
    </message>
    <message>
      <source>shadows</source>
      <translation>Schatten</translation>
    </message>
    <message>
      <source>share of the subsets that hold the feature</source>
      <translation>Anteil der Teilmengen, die das Merkmal enthalten</translation>
    </message>
    <message>
      <source>sheet "{sheet}"</source>
      <translation>Blatt „{sheet}“</translation>
    </message>
    <message>
      <source>significance</source>
      <translation>Signifikanz</translation>
    </message>
    <message>
      <source>significant features</source>
      <translation>signifikante Merkmale</translation>
    </message>
    <message>
      <source>since {time}</source>
      <translation>seit {time}</translation>
    </message>
    <message>
      <source>size first, then the features</source>
      <translation>zuerst die Größe, dann die Merkmale</translation>
    </message>
    <message>
      <source>small</source>
      <translation>klein</translation>
    </message>
    <message>
      <source>smallest error</source>
      <translation>kleinster Fehler</translation>
    </message>
    <message>
      <source>sorting …</source>
      <translation>wird sortiert …</translation>
    </message>
    <message>
      <source>space-separated</source>
      <translation>durch Leerzeichen getrennt</translation>
    </message>
    <message>
      <source>sparse ARFF</source>
      <translation>ARFF, dünn besetzt</translation>
    </message>
    <message>
      <source>spends the measurements</source>
      <translation>verbraucht die Messungen</translation>
    </message>
    <message>
      <source>spends the plan</source>
      <translation>verbraucht den Plan</translation>
    </message>
    <message>
      <source>standard deviations from the mean</source>
      <translation>Standardabweichungen vom Mittelwert</translation>
    </message>
    <message>
      <source>starting</source>
      <translation>beginnt</translation>
    </message>
    <message>
      <source>starting the run</source>
      <translation>Beginnen des Laufs</translation>
    </message>
    <message>
      <source>starting the runs</source>
      <translation>Beginnen der Läufe</translation>
    </message>
    <message>
      <source>starting the workers</source>
      <translation>Starten der Arbeitsprozesse</translation>
    </message>
    <message>
      <source>steered</source>
      <translation>gesteuert</translation>
    </message>
    <message>
      <source>steps</source>
      <translation>Schritte</translation>
    </message>
    <message>
      <source>stopped after {done} of {total} fresh measurements</source>
      <translation>nach {done} von {total} neuen Messungen abgebrochen</translation>
    </message>
    <message>
      <source>stopped by you; it can be resumed</source>
      <translation>von Ihnen gestoppt; kann fortgesetzt werden</translation>
    </message>
    <message>
      <source>stopped, can be resumed</source>
      <translation>gestoppt, fortsetzbar</translation>
    </message>
    <message>
      <source>stopping</source>
      <translation>stoppt</translation>
    </message>
    <message>
      <source>subsets</source>
      <translation>Teilmengen</translation>
    </message>
    <message>
      <source>tab-separated</source>
      <translation>durch Tabulatoren getrennt</translation>
    </message>
    <message>
      <source>taken instead of the answer; click again to go back</source>
      <translation>anstelle der Antwort genommen; noch ein Klick geht zurück</translation>
    </message>
    <message>
      <source>takes 10 where the model is quick to fit</source>
      <translation>nimmt 10, wenn das Modell schnell trainiert ist</translation>
    </message>
    <message>
      <source>takes all repeats</source>
      <translation>alle Wiederholungen</translation>
    </message>
    <message>
      <source>takes the smallest single measurement</source>
      <translation>nimmt die kleinste einzelne Messung</translation>
    </message>
    <message>
      <source>takes the square root of the number of features</source>
      <translation>Wurzel aus der Anzahl der Merkmale</translation>
    </message>
    <message>
      <source>target</source>
      <translation>Zielgröße</translation>
    </message>
    <message>
      <source>tells the hopeless ones apart</source>
      <translation>sondert die hoffnungslosen aus</translation>
    </message>
    <message>
      <source>temperatures</source>
      <translation>Temperaturen</translation>
    </message>
    <message>
      <source>that of the run: one number repeats all of it</source>
      <translation>der des Laufs: eine Zahl wiederholt alles</translation>
    </message>
    <message>
      <source>the answer</source>
      <translation>die Antwort</translation>
    </message>
    <message>
      <source>the authors standardise inside each training fold</source>
      <translation>die Autoren standardisieren in jedem Trainings-Fold</translation>
    </message>
    <message>
      <source>the beginning of the paper's genetic algorithm: random bit strings</source>
      <translation>der Anfang des genetischen Algorithmus im Artikel: zufällige Bitfolgen</translation>
    </message>
    <message>
      <source>the best error decides</source>
      <translation>der beste Fehler entscheidet</translation>
    </message>
    <message>
      <source>the budget of measurements is used up</source>
      <translation>die vorgesehenen Messungen sind verbraucht</translation>
    </message>
    <message>
      <source>the budget of {budget} measurements is used up</source>
      <translation>die vorgesehenen {budget} Messungen sind verbraucht</translation>
    </message>
    <message>
      <source>the connection broke off</source>
      <translation>die Verbindung brach ab</translation>
    </message>
    <message>
      <source>the connection was refused</source>
      <translation>die Verbindung wurde abgelehnt</translation>
    </message>
    <message>
      <source>the data in it are not those that the run was made on</source>
      <translation>die Daten darin sind nicht die, auf denen der Lauf beruht</translation>
    </message>
    <message>
      <source>the exact optimum on the folds searched</source>
      <translation>das genaue Optimum auf den durchsuchten Folds</translation>
    </message>
    <message>
      <source>the first {count} shown</source>
      <translation>davon gezeigt: {count}</translation>
    </message>
    <message>
      <source>the folds</source>
      <translation>die Folds</translation>
    </message>
    <message>
      <source>the groups</source>
      <translation>die Gruppen</translation>
    </message>
    <message>
      <source>the last size is reached: {size}</source>
      <translation>die letzte Größe ist erreicht: {size}</translation>
    </message>
    <message>
      <source>the last step gained nothing</source>
      <translation>der letzte Schritt brachte nichts</translation>
    </message>
    <message>
      <source>the log ends before measurement {number}, for which the search asks</source>
      <translation>das Protokoll endet vor Messung {number}, nach der die Suche fragt</translation>
    </message>
    <message>
      <source>the log holds a {kind} too many</source>
      <translation>das Protokoll enthält ein {kind} zu viel</translation>
    </message>
    <message>
      <source>the mean of up to {repeats} hold-outs of {share:.0%} of the rows</source>
      <translation>das Mittel von bis zu {repeats} Aufteilungen, die {share:.0%} der Zeilen zum Testen zurückhalten</translation>
    </message>
    <message>
      <source>the mean of up to {repeats} repeats of {folds}-fold cross-validation</source>
      <translation>das Mittel von bis zu {repeats} Wiederholungen einer {folds}-fachen Kreuzvalidierung</translation>
    </message>
    <message>
      <source>the mean of {repeats} hold-outs of {share:.0%} of the rows</source>
      <translation>das Mittel von {repeats} Aufteilungen, die {share:.0%} der Zeilen zum Testen zurückhalten</translation>
    </message>
    <message>
      <source>the mean of {repeats} repeats of {folds}-fold cross-validation</source>
      <translation>das Mittel von {repeats} Wiederholungen einer {folds}-fachen Kreuzvalidierung</translation>
    </message>
    <message>
      <source>the number of measurements ends the search</source>
      <translation>die Zahl der Messungen beendet die Suche</translation>
    </message>
    <message>
      <source>the one-standard-error rule of Breiman, Friedman, Olshen and Stone (1984), section 3.4.3</source>
      <translation>die Regel des einen Standardfehlers von Breiman, Friedman, Olshen und Stone (1984), Abschnitt 3.4.3</translation>
    </message>
    <message>
      <source>the paper's 3000 measurements, on a table with 30 features</source>
      <translation>die 3000 Messungen des Artikels, bei einer Tabelle mit 30 Merkmalen</translation>
    </message>
    <message>
      <source>the paper's budget of 3000 measurements for small tables</source>
      <translation>das Budget des Artikels von 3000 Messungen für kleine Tabellen</translation>
    </message>
    <message>
      <source>the plan of {budget} measurements is carried out</source>
      <translation>Plan von {budget} Messungen ausgeführt</translation>
    </message>
    <message>
      <source>the quickest of the three, and the most widely used</source>
      <translation>die schnellste der drei und die gebräuchlichste</translation>
    </message>
    <message>
      <source>the rows of its classes are not all rows</source>
      <translation>die Zeilen seiner Klassen sind nicht alle Zeilen</translation>
    </message>
    <message>
      <source>the same throughout</source>
      <translation>durchweg dieselben</translation>
    </message>
    <message>
      <source>the smallest error was best on new rows of planted and real tables</source>
      <translation>der kleinste Fehler war auf neuen Zeilen künstlicher und echter Tabellen am besten</translation>
    </message>
    <message>
      <source>the smallest of many noisy measurements is too low; 0 in the paper</source>
      <translation>die kleinste vieler verrauschter Messungen ist zu niedrig; 0 im Artikel</translation>
    </message>
    <message>
      <source>the square root of the number of features, a common rule</source>
      <translation>die Quadratwurzel der Anzahl der Merkmale, eine übliche Regel</translation>
    </message>
    <message>
      <source>the system or another program told it to end</source>
      <translation>das System oder ein anderes Programm hat ihn beendet</translation>
    </message>
    <message>
      <source>the target</source>
      <translation>die Zielgröße</translation>
    </message>
    <message>
      <source>the time</source>
      <translation>die Zeit</translation>
    </message>
    <message>
      <source>the time of {most_seconds} minutes is used up</source>
      <translation>die Zeit von {most_seconds} Minuten ist um</translation>
    </message>
    <message>
      <source>the time was nearly up, and the finalists were measured again</source>
      <translation>die Zeit war fast um, und die Finalisten wurden noch einmal gemessen</translation>
    </message>
    <message>
      <source>the {count} most frequent shown</source>
      <translation>die {count} häufigsten gezeigt</translation>
    </message>
    <message>
      <source>the {most} features of the highest weight are drawn, of {count}</source>
      <translation>die {most} Merkmale mit dem höchsten Gewicht sind gezeichnet, von {count}</translation>
    </message>
    <message>
      <source>the {most} of most weight are clustered, the others follow</source>
      <translation>die {most} mit dem größten Gewicht sind gruppiert, die anderen folgen</translation>
    </message>
    <message>
      <source>there are {matrices}</source>
      <translation>es gibt {matrices}</translation>
    </message>
    <message>
      <source>there is no other subset</source>
      <translation>es gibt keine andere Teilmenge</translation>
    </message>
    <message>
      <source>there is no way to it from this computer</source>
      <translation>von diesem Rechner führt kein Weg dorthin</translation>
    </message>
    <message>
      <source>these columns are left out</source>
      <translation>diese Spalten werden weggelassen</translation>
    </message>
    <message>
      <source>these features: AUC {area} ± {spread}</source>
      <translation>diese Merkmale: AUC {area} ± {spread}</translation>
    </message>
    <message>
      <source>time</source>
      <translation>Zeit</translation>
    </message>
    <message>
      <source>time spent measuring, {unit}</source>
      <translation>mit Messen verbrachte Zeit, {unit}</translation>
    </message>
    <message>
      <source>to ignore</source>
      <translation>wegzulassen</translation>
    </message>
    <message>
      <source>to keep</source>
      <translation>zu behalten</translation>
    </message>
    <message>
      <source>to start with</source>
      <translation>zum Beginnen</translation>
    </message>
    <message>
      <source>true</source>
      <translation>wahr</translation>
    </message>
    <message>
      <source>true or false is wanted</source>
      <translation>verlangt ist true oder false</translation>
    </message>
    <message>
      <source>true positive rate</source>
      <translation>Richtig-positiv-Rate</translation>
    </message>
    <message>
      <source>twice c, so that no sum of both pushes ends just where a feature turns over</source>
      <translation>das Doppelte von c, damit keine Summe beider Stöße genau dort endet, wo ein Merkmal umschaltet</translation>
    </message>
    <message>
      <source>under 1 s</source>
      <translation>unter 1 s</translation>
    </message>
    <message>
      <source>uniform: each feature from either parent</source>
      <translation>gleichmäßig: jedes Merkmal von einem der Eltern</translation>
    </message>
    <message>
      <source>unlimited</source>
      <translation>unbegrenzt</translation>
    </message>
    <message>
      <source>unseen rows (outer folds)</source>
      <translation>ungesehene Zeilen (äußere Folds)</translation>
    </message>
    <message>
      <source>unseen rows {value}</source>
      <translation>ungesehene Zeilen {value}</translation>
    </message>
    <message>
      <source>up to 2 features</source>
      <translation>bis zu 2 Merkmale</translation>
    </message>
    <message>
      <source>up to 3 features</source>
      <translation>bis zu 3 Merkmale</translation>
    </message>
    <message>
      <source>up to 4 features</source>
      <translation>bis zu 4 Merkmale</translation>
    </message>
    <message>
      <source>usual practice</source>
      <translation>üblich</translation>
    </message>
    <message>
      <source>usual practice; it hardly changes the mean error and lowers its noise</source>
      <translation>üblich; ändert den mittleren Fehler kaum und senkt sein Rauschen</translation>
    </message>
    <message>
      <source>waiting for a worker</source>
      <translation>wartet auf einen Arbeitsprozess</translation>
    </message>
    <message>
      <source>waiting, number {place} in line</source>
      <translation>wartet, Platz {place} in der Schlange</translation>
    </message>
    <message>
      <source>was steered by someone who saw all rows</source>
      <translation>wurde von jemandem gelenkt, der alle Zeilen sah</translation>
    </message>
    <message>
      <source>waveforms made from the formula of Breiman et al. (1984)</source>
      <translation>Wellenformen nach der Formel von Breiman et al. (1984)</translation>
    </message>
    <message>
      <source>weight</source>
      <translation>Gewicht</translation>
    </message>
    <message>
      <source>weight {value}</source>
      <translation>Gewicht {value}</translation>
    </message>
    <message>
      <source>what columns are for</source>
      <translation>wozu Spalten dienen</translation>
    </message>
    <message>
      <source>what it does</source>
      <translation>was sie tut</translation>
    </message>
    <message>
      <source>which is best depends on the table, and only rows held out can tell</source>
      <translation>welche die beste ist, hängt von der Tabelle ab, und nur zurückgehaltene Zeilen können es sagen</translation>
    </message>
    <message>
      <source>why this default</source>
      <translation>warum dieser Standard</translation>
    </message>
    <message>
      <source>with a header</source>
      <translation>mit Kopfzeile</translation>
    </message>
    <message>
      <source>with all features</source>
      <translation>mit allen Merkmalen</translation>
    </message>
    <message>
      <source>without a header</source>
      <translation>ohne Kopfzeile</translation>
    </message>
    <message>
      <source>without an interval</source>
      <translation>ohne Intervall</translation>
    </message>
    <message>
      <source>won</source>
      <translation>gewonnen</translation>
    </message>
    <message>
      <source>working</source>
      <translation>Arbeiten</translation>
    </message>
    <message>
      <source>working in the background</source>
      <translation>Arbeiten im Hintergrund</translation>
    </message>
    <message>
      <source>worse than all features by {loss} ({low} to {high})</source>
      <translation>um {loss} ({low} bis {high}) schlechter als alle Merkmale</translation>
    </message>
    <message>
      <source>write it again</source>
      <translation>schreiben Sie sie noch einmal</translation>
    </message>
    <message>
      <source>yes</source>
      <translation>ja</translation>
    </message>
    <message>
      <source>{always} features are always in, and the answer may have no more than {asked}: raise that number, or take features from the list always in.</source>
      <translation>{always} Merkmale sind immer dabei, und die Antwort darf nicht mehr als {asked} haben: Erhöhen Sie diese Zahl, oder nehmen Sie Merkmale aus der Liste „immer dabei“.</translation>
    </message>
    <message>
      <source>{amount:.1f} points better</source>
      <translation>{amount:.1f} Punkte besser</translation>
    </message>
    <message>
      <source>{amount:.1f} points worse</source>
      <translation>{amount:.1f} Punkte schlechter</translation>
    </message>
    <message>
      <source>{amount:.2g} better</source>
      <translation>{amount:.2g} besser</translation>
    </message>
    <message>
      <source>{amount:.2g} worse</source>
      <translation>{amount:.2g} schlechter</translation>
    </message>
    <message>
      <source>{amount} points</source>
      <translation>{amount} Punkte</translation>
    </message>
    <message>
      <source>{at} of {count}: Enter goes to the next one</source>
      <translation>{at} von {count}: Eingabe geht zum nächsten</translation>
    </message>
    <message>
      <source>{busy} of {size} workers busy</source>
      <translation>{busy} von {size} Prozessen beschäftigt</translation>
    </message>
    <message>
      <source>{chosen} of {total}</source>
      <translation>{chosen} von {total}</translation>
    </message>
    <message>
      <source>{classes}, the {count} largest shown</source>
      <translation>{classes}, die {count} größten gezeigt</translation>
    </message>
    <message>
      <source>{column}: finds {found}</source>
      <translation>{column}: findet {found}</translation>
    </message>
    <message>
      <source>{column}: set aside; the checks say why.</source>
      <translation>{column}: beiseitegelegt; die Prüfungen sagen, warum.</translation>
    </message>
    <message>
      <source>{command}: the run that is shown</source>
      <translation>{command}: der gezeigte Lauf</translation>
    </message>
    <message>
      <source>{count:,} always in</source>
      <translation>{count:,} immer drin</translation>
    </message>
    <message>
      <source>{count:,} features</source>
      <translation>{count:,} Merkmale</translation>
    </message>
    <message>
      <source>{count:,} in {steps:,} iterations</source>
      <translation>{count:,} in {steps:,} Iterationen</translation>
    </message>
    <message>
      <source>{count:,} missing</source>
      <translation>{count:,} fehlen</translation>
    </message>
    <message>
      <source>{count:,} never in</source>
      <translation>{count:,} nie drin</translation>
    </message>
    <message>
      <source>{count:,} of {features}</source>
      <translation>{features}, davon {count:,} dabei</translation>
    </message>
    <message>
      <source>{count:,} of {total:,}</source>
      <translation>{count:,} von {total:,}</translation>
    </message>
    <message>
      <source>{count:,} selected features</source>
      <translation>{count:,} ausgewählte Merkmale</translation>
    </message>
    <message>
      <source>{count} an earlier one: {names} ("{copied}" equals "{kept}").</source>
      <translation>{count} einer früheren: {names} („{copied}“ gleicht „{kept}“).</translation>
    </message>
    <message numerus="yes">
      <source>{count} are left out, for the list has the same runs already.</source>
      <translation>
        <numerusform>{count} ist weggelassen, denn die Liste hat denselben Lauf schon.</numerusform>
        <numerusform>{count} sind weggelassen, denn die Liste hat dieselben Läufe schon.</numerusform>
      </translation>
    </message>
    <message>
      <source>{count} as missing, in {columns}.</source>
      <translation>{count} als fehlend, in {columns}.</translation>
    </message>
    <message numerus="yes">
      <source>{count} categories</source>
      <translation>
        <numerusform>{count} Kategorie</numerusform>
        <numerusform>{count} Kategorien</numerusform>
      </translation>
    </message>
    <message>
      <source>{count} cell</source>
      <translation>{count} Zelle</translation>
    </message>
    <message numerus="yes">
      <source>{count} cells</source>
      <translation>
        <numerusform>{count} Zelle</numerusform>
        <numerusform>{count} Zellen</numerusform>
      </translation>
    </message>
    <message>
      <source>{count} class has</source>
      <translation>{count} Klasse hat</translation>
    </message>
    <message numerus="yes">
      <source>{count} classes</source>
      <translation>
        <numerusform>{count} Klasse</numerusform>
        <numerusform>{count} Klassen</numerusform>
      </translation>
    </message>
    <message>
      <source>{count} classes have</source>
      <translation>{count} Klassen haben</translation>
    </message>
    <message>
      <source>{count} column</source>
      <translation>{count} Spalte</translation>
    </message>
    <message>
      <source>{count} column describes</source>
      <translation>{count} Spalte beschreibt</translation>
    </message>
    <message>
      <source>{count} column equals</source>
      <translation>{count} Spalte gleicht</translation>
    </message>
    <message>
      <source>{count} column has</source>
      <translation>{count} Spalte hat</translation>
    </message>
    <message>
      <source>{count} column has a name that another has too and is</source>
      <translation>{count} Spalte hat einen Namen, den auch eine andere hat, und heißt</translation>
    </message>
    <message>
      <source>{count} column has no name and is</source>
      <translation>{count} Spalte hat keinen Namen und heißt</translation>
    </message>
    <message>
      <source>{count} column has no values and is</source>
      <translation>{count} Spalte hat keine Werte und bleibt</translation>
    </message>
    <message>
      <source>{count} column holds</source>
      <translation>{count} Spalte enthält</translation>
    </message>
    <message>
      <source>{count} column holds numbers but for some text and so is</source>
      <translation>{count} Spalte enthält bis auf etwas Text Zahlen und gilt daher</translation>
    </message>
    <message>
      <source>{count} column holds text that differs in nearly every row and is</source>
      <translation>{count} Spalte enthält Text, der in fast jeder Zeile anders ist, und bleibt</translation>
    </message>
    <message>
      <source>{count} column is not numeric and is</source>
      <translation>{count} Spalte enthält keine Zahlen und wird</translation>
    </message>
    <message>
      <source>{count} column of numbers with text among them is left out.</source>
      <translation>Weggelassene Zahlenspalten mit Text darin: {count}.</translation>
    </message>
    <message>
      <source>{count} column of one value is left out.</source>
      <translation>Weggelassene Spalten mit nur einem Wert: {count}.</translation>
    </message>
    <message>
      <source>{count} column only numbers the rows and is</source>
      <translation>{count} Spalte nummeriert nur die Zeilen und bleibt</translation>
    </message>
    <message>
      <source>{count} column that equals an earlier one is left out.</source>
      <translation>Weggelassene Spalten, die einer früheren gleichen: {count}.</translation>
    </message>
    <message numerus="yes">
      <source>{count} columns</source>
      <translation>
        <numerusform>{count} Spalte</numerusform>
        <numerusform>{count} Spalten</numerusform>
      </translation>
    </message>
    <message>
      <source>{count} columns are not numeric and are</source>
      <translation>{count} Spalten enthalten keine Zahlen und werden</translation>
    </message>
    <message>
      <source>{count} columns describe</source>
      <translation>{count} Spalten beschreiben</translation>
    </message>
    <message numerus="yes">
      <source>{count} columns describe the samples and are no measurements</source>
      <translation>
        <numerusform>{count} Spalte beschreibt die Proben und ist keine Messung</numerusform>
        <numerusform>{count} Spalten beschreiben die Proben und sind keine Messungen</numerusform>
      </translation>
    </message>
    <message>
      <source>{count} columns equal</source>
      <translation>{count} Spalten gleichen</translation>
    </message>
    <message>
      <source>{count} columns have</source>
      <translation>{count} Spalten haben</translation>
    </message>
    <message>
      <source>{count} columns have a name that another has too and are</source>
      <translation>{count} Spalten haben Namen, die auch andere haben, und heißen</translation>
    </message>
    <message>
      <source>{count} columns have no name and are</source>
      <translation>{count} Spalten haben keinen Namen und heißen</translation>
    </message>
    <message>
      <source>{count} columns have no values and are</source>
      <translation>{count} Spalten haben keine Werte und bleiben</translation>
    </message>
    <message>
      <source>{count} columns hold</source>
      <translation>{count} Spalten enthalten</translation>
    </message>
    <message>
      <source>{count} columns hold numbers but for some text and so are</source>
      <translation>{count} Spalten enthalten bis auf etwas Text Zahlen und gelten daher</translation>
    </message>
    <message>
      <source>{count} columns hold text that differs in nearly every row and are</source>
      <translation>{count} Spalten enthalten Text, der in fast jeder Zeile anders ist, und bleiben</translation>
    </message>
    <message>
      <source>{count} columns of numbers with text among them are left out.</source>
      <translation>Weggelassene Zahlenspalten mit Text darin: {count}.</translation>
    </message>
    <message>
      <source>{count} columns of one value are left out.</source>
      <translation>Weggelassene Spalten mit nur einem Wert: {count}.</translation>
    </message>
    <message>
      <source>{count} columns only number the rows and are</source>
      <translation>{count} Spalten nummerieren nur die Zeilen und bleiben</translation>
    </message>
    <message>
      <source>{count} columns that equal an earlier one are left out.</source>
      <translation>Weggelassene Spalten, die einer früheren gleichen: {count}.</translation>
    </message>
    <message>
      <source>{count} days</source>
      <translation>{count} Tage</translation>
    </message>
    <message>
      <source>{count} encoded by category (one-hot) inside every training fold: {names}.</source>
      <translation>{count} in jedem Trainingsfold nach Kategorien kodiert (one-hot): {names}.</translation>
    </message>
    <message numerus="yes">
      <source>{count} features</source>
      <translation>
        <numerusform>{count} Merkmal</numerusform>
        <numerusform>{count} Merkmale</numerusform>
      </translation>
    </message>
    <message>
      <source>{count} fewer rows than the {folds} folds of the usual cross-validation, so not every fold has some: {tiny} of target "{name}".</source>
      <translation>{count} weniger Zeilen als die {folds} Folds der üblichen Kreuzvalidierung, daher hat nicht jeder Fold welche: {tiny} der Zielgröße „{name}“.</translation>
    </message>
    <message numerus="yes">
      <source>{count} files</source>
      <translation>
        <numerusform>{count} Datei</numerusform>
        <numerusform>{count} Dateien</numerusform>
      </translation>
    </message>
    <message>
      <source>{count} folds of the user</source>
      <translation>{count} Folds des Benutzers</translation>
    </message>
    <message numerus="yes">
      <source>{count} groups</source>
      <translation>
        <numerusform>{count} Gruppe</numerusform>
        <numerusform>{count} Gruppen</numerusform>
      </translation>
    </message>
    <message>
      <source>{count} groups of rows that are never split</source>
      <translation>{count} Gruppen von Zeilen, die nie getrennt werden</translation>
    </message>
    <message>
      <source>{count} h</source>
      <translation>{count} h</translation>
    </message>
    <message>
      <source>{count} left out (target "{name}").</source>
      <translation>{count} weggelassen (Zielgröße „{name}“).</translation>
    </message>
    <message>
      <source>{count} left out: {names}.</source>
      <translation>{count} weggelassen: {names}.</translation>
    </message>
    <message>
      <source>{count} left out: {said}.</source>
      <translation>{count} weggelassen: {said}.</translation>
    </message>
    <message>
      <source>{count} line above the table is</source>
      <translation>{count} Zeile über der Tabelle wird</translation>
    </message>
    <message>
      <source>{count} lines above the table are</source>
      <translation>{count} Zeilen über der Tabelle werden</translation>
    </message>
    <message numerus="yes">
      <source>{count} measurements</source>
      <translation>
        <numerusform>{count} Messung</numerusform>
        <numerusform>{count} Messungen</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{count} methods</source>
      <translation>
        <numerusform>{count} Verfahren</numerusform>
        <numerusform>{count} Verfahren</numerusform>
      </translation>
    </message>
    <message>
      <source>{count} min</source>
      <translation>{count} min</translation>
    </message>
    <message numerus="yes">
      <source>{count} models</source>
      <translation>
        <numerusform>{count} Modell</numerusform>
        <numerusform>{count} Modelle</numerusform>
      </translation>
    </message>
    <message>
      <source>{count} more</source>
      <translation>{count} weitere</translation>
    </message>
    <message>
      <source>{count} more cannot be drawn: no honest error yet, or another criterion.</source>
      <translation>{count} weitere lassen sich nicht zeichnen: noch ohne ehrlichen Fehler, oder nach einem anderen Kriterium.</translation>
    </message>
    <message>
      <source>{count} more iteration</source>
      <translation>{count} Iteration mehr</translation>
    </message>
    <message>
      <source>{count} more iterations</source>
      <translation>{count} Iterationen mehr</translation>
    </message>
    <message>
      <source>{count} more measurement</source>
      <translation>{count} Messung mehr</translation>
    </message>
    <message>
      <source>{count} more measurements</source>
      <translation>{count} Messungen mehr</translation>
    </message>
    <message>
      <source>{count} more minute</source>
      <translation>{count} Minute mehr</translation>
    </message>
    <message>
      <source>{count} more minutes</source>
      <translation>{count} Minuten mehr</translation>
    </message>
    <message numerus="yes">
      <source>{count} more settings</source>
      <translation>
        <numerusform>{count} weitere Einstellung</numerusform>
        <numerusform>{count} weitere Einstellungen</numerusform>
      </translation>
    </message>
    <message>
      <source>{count} neither numbers nor text and cannot be read: {left_out}.</source>
      <translation>{count} weder Zahlen noch Text, was nicht gelesen werden kann: {left_out}.</translation>
    </message>
    <message numerus="yes">
      <source>{count} notes</source>
      <translation>
        <numerusform>{count} Hinweis</numerusform>
        <numerusform>{count} Hinweise</numerusform>
      </translation>
    </message>
    <message>
      <source>{count} now called {nameless}.</source>
      <translation>{count} nun {nameless}.</translation>
    </message>
    <message>
      <source>{count} now called {repeated}.</source>
      <translation>{count} nun {repeated}.</translation>
    </message>
    <message>
      <source>{count} one value only and cannot help to predict: {names}.</source>
      <translation>{count} nur einen Wert, was beim Vorhersagen nicht hilft: {names}.</translation>
    </message>
    <message numerus="yes">
      <source>{count} resamples</source>
      <translation>
        <numerusform>{count} Stichprobe</numerusform>
        <numerusform>{count} Stichproben</numerusform>
      </translation>
    </message>
    <message>
      <source>{count} row</source>
      <translation>{count} Zeile</translation>
    </message>
    <message>
      <source>{count} row has no class and is</source>
      <translation>{count} Zeile hat keine Klasse und wird</translation>
    </message>
    <message>
      <source>{count} row is</source>
      <translation>{count} Zeile wird</translation>
    </message>
    <message numerus="yes">
      <source>{count} rows</source>
      <translation>
        <numerusform>{count} Zeile</numerusform>
        <numerusform>{count} Zeilen</numerusform>
      </translation>
    </message>
    <message>
      <source>{count} rows are</source>
      <translation>{count} Zeilen werden</translation>
    </message>
    <message>
      <source>{count} rows have no class and are</source>
      <translation>{count} Zeilen haben keine Klasse und werden</translation>
    </message>
    <message numerus="yes">
      <source>{count} runs</source>
      <translation>
        <numerusform>{count} Lauf</numerusform>
        <numerusform>{count} Läufe</numerusform>
      </translation>
    </message>
    <message>
      <source>{count} runs are deleted.</source>
      <translation>{count} Läufe sind gelöscht.</translation>
    </message>
    <message>
      <source>{count} runs are in the queue.</source>
      <translation>{count} Läufe sind in der Warteschlange.</translation>
    </message>
    <message>
      <source>{count} runs have ended, the last one:</source>
      <translation>{count} Läufe sind zu Ende, der letzte:</translation>
    </message>
    <message numerus="yes">
      <source>{count} runs of this project have not come to their ends and can go on.</source>
      <translation>
        <numerusform>{count} Lauf dieses Projekts ist nicht zu Ende gekommen und kann weitergehen.</numerusform>
        <numerusform>{count} Läufe dieses Projekts sind nicht zu Ende gekommen und können weitergehen.</numerusform>
      </translation>
    </message>
    <message>
      <source>{count} s</source>
      <translation>{count} s</translation>
    </message>
    <message numerus="yes">
      <source>{count} seeds</source>
      <translation>
        <numerusform>{count} Startwert</numerusform>
        <numerusform>{count} Startwerte</numerusform>
      </translation>
    </message>
    <message>
      <source>{count} selected features with categories are left out.</source>
      <translation>{count} gewählte Merkmale mit Kategorien sind weggelassen.</translation>
    </message>
    <message>
      <source>{count} set aside, as no feature: {names}.</source>
      <translation>{count} als Merkmal beiseite: {names}.</translation>
    </message>
    <message>
      <source>{count} set aside: {names}.</source>
      <translation>{count} beiseite: {names}.</translation>
    </message>
    <message>
      <source>{count} steps</source>
      <translation>{count} Schritte</translation>
    </message>
    <message>
      <source>{count} taken as text: {columns} (for example "{stray}" in "{column}"); correct those cells if they are numbers or missing.</source>
      <translation>{count} als Text: {columns} (zum Beispiel „{stray}“ in „{column}“); berichtigen Sie diese Zellen, wenn sie Zahlen sein oder fehlen sollen.</translation>
    </message>
    <message>
      <source>{count} value is infinite and counts</source>
      <translation>{count} Wert ist unendlich und gilt</translation>
    </message>
    <message>
      <source>{count} value is missing</source>
      <translation>{count} Wert fehlt</translation>
    </message>
    <message numerus="yes">
      <source>{count} values</source>
      <translation>
        <numerusform>{count} Wert</numerusform>
        <numerusform>{count} Werte</numerusform>
      </translation>
    </message>
    <message>
      <source>{count} values are infinite and count</source>
      <translation>{count} Werte sind unendlich und gelten</translation>
    </message>
    <message>
      <source>{count} values are missing</source>
      <translation>{count} Werte fehlen</translation>
    </message>
    <message>
      <source>{count} whole numbers beyond 9,007,199,254,740,992 (2^53), which are rounded, so that different ones may have become the same: {names}; leave out what is an id, or write it with a letter before it.</source>
      <translation>{count} ganze Zahlen jenseits von 9.007.199.254.740.992 (2^53), die gerundet sind, sodass verschiedene gleich geworden sein können: {names}; lassen Sie weg, was eine Kennung ist, oder schreiben Sie einen Buchstaben davor.</translation>
    </message>
    <message>
      <source>{count}, picked by you: {value}</source>
      <translation>{count}, von Ihnen gewählt: {value}</translation>
    </message>
    <message>
      <source>{criterion} alone</source>
      <translation>{criterion} allein</translation>
    </message>
    <message>
      <source>{criterion} by number of features</source>
      <translation>{criterion} nach der Anzahl der Merkmale</translation>
    </message>
    <message>
      <source>{criterion} during the search</source>
      <translation>{criterion} während der Suche</translation>
    </message>
    <message>
      <source>{criterion} of all features in cross-validation: {found}.</source>
      <translation>{criterion} aller Merkmale in der Kreuzvalidierung: {found}.</translation>
    </message>
    <message>
      <source>{criterion} of all features, on the same rows</source>
      <translation>{criterion} aller Merkmale, auf denselben Zeilen</translation>
    </message>
    <message>
      <source>{criterion} of all features: {values}.</source>
      <translation>{criterion} aller Merkmale: {values}.</translation>
    </message>
    <message>
      <source>{criterion} of the model with this feature alone, on fresh folds. Features that are poor alone can be good together.</source>
      <translation>{criterion} des Modells mit diesem Merkmal allein, auf neuen Folds. Merkmale, die allein schwach sind, können zusammen gut sein.</translation>
    </message>
    <message>
      <source>{criterion} of the search, step by step</source>
      <translation>{criterion} der Suche, Schritt für Schritt</translation>
    </message>
    <message>
      <source>{criterion} on rows that no search saw</source>
      <translation>{criterion} auf Zeilen, die keine Suche sah</translation>
    </message>
    <message>
      <source>{criterion} on rows that no search saw: {value} (95 % interval {interval}), {verdict}.</source>
      <translation>{criterion} auf Zeilen, die keine Suche sah: {value} (95-%-Intervall {interval}), {verdict}.</translation>
    </message>
    <message>
      <source>{criterion} on rows that no search saw: {value} (95 % interval {interval}).</source>
      <translation>{criterion} auf Zeilen, die keine Suche sah: {value} (95-%-Intervall {interval}).</translation>
    </message>
    <message>
      <source>{criterion} on rows that no search saw: {value}. {again}</source>
      <translation>{criterion} auf Zeilen, die keine Suche sah: {value}. {again}</translation>
    </message>
    <message>
      <source>{criterion} on the rows that chose the features</source>
      <translation>{criterion} auf den Zeilen, nach denen die Merkmale gewählt wurden</translation>
    </message>
    <message>
      <source>{criterion} on unseen rows</source>
      <translation>{criterion} auf ungesehenen Zeilen</translation>
    </message>
    <message>
      <source>{criterion}, in the unit of {target}</source>
      <translation>{criterion}, in der Einheit von {target}</translation>
    </message>
    <message>
      <source>{data} has no feature "{name}": open the table of this run first.</source>
      <translation>{data} hat kein Merkmal „{name}“: Öffnen Sie zuerst die Tabelle dieses Laufs.</translation>
    </message>
    <message>
      <source>{data} results</source>
      <translation>{data} Ergebnisse</translation>
    </message>
    <message>
      <source>{data} · {method} · seed {seed}</source>
      <translation>{data} · {method} · Startwert {seed}</translation>
    </message>
    <message>
      <source>{data}: {run}, seed {seed}</source>
      <translation>{data}: {run}, Startwert {seed}</translation>
    </message>
    <message>
      <source>{data}: {run}, seed {seed}, {state}, {found}</source>
      <translation>{data}: {run}, Startwert {seed}, {state}, {found}</translation>
    </message>
    <message>
      <source>{done} of {count:,}</source>
      <translation>{done} von {count:,}</translation>
    </message>
    <message>
      <source>{done} of {folds} folds</source>
      <translation>{done} von {folds} Folds</translation>
    </message>
    <message>
      <source>{done} of {total:.1f}</source>
      <translation>{done} von {total:.1f}</translation>
    </message>
    <message>
      <source>{done} of {total} files written</source>
      <translation>{done} von {total} Dateien geschrieben</translation>
    </message>
    <message>
      <source>{features} features for {rows} rows: among so many subsets some are perfect by luck; trust only errors on rows that no search saw.</source>
      <translation>{features} Merkmale für {rows} Zeilen: Unter so vielen Teilmengen sind einige durch Zufall perfekt; trauen Sie nur Fehlern auf Zeilen, die keine Suche gesehen hat.</translation>
    </message>
    <message>
      <source>{first} and {count} more</source>
      <translation>{first} und {count} weitere</translation>
    </message>
    <message>
      <source>{found} of the {total} features of the table are found. These columns are added: {columns}.</source>
      <translation>{found} von {total} Merkmalen der Tabelle sind gefunden. Diese Spalten kommen hinzu: {columns}.</translation>
    </message>
    <message>
      <source>{gaps:,} of {rows} missing</source>
      <translation>{gaps:,} fehlen von {rows}</translation>
    </message>
    <message>
      <source>{groups} together</source>
      <translation>{groups} zusammen</translation>
    </message>
    <message>
      <source>{hours} h {minutes} min</source>
      <translation>{hours} h {minutes} min</translation>
    </message>
    <message>
      <source>{iterations} more iterations and {measurements} more measurements</source>
      <translation>{iterations} Iterationen und {measurements} Messungen mehr</translation>
    </message>
    <message>
      <source>{low:.1f} to {high:.1f} %</source>
      <translation>{low:.1f} bis {high:.1f} %</translation>
    </message>
    <message>
      <source>{low:.4g} to {high:.4g}, median {middle:.4g}</source>
      <translation>{low:.4g} bis {high:.4g}, Median {middle:.4g}</translation>
    </message>
    <message>
      <source>{low} to {high}</source>
      <translation>{low} bis {high}</translation>
    </message>
    <message>
      <source>{measured} sizes measured</source>
      <translation>{measured} Größen gemessen</translation>
    </message>
    <message>
      <source>{methods} × {models} × {seeds} = {runs}</source>
      <translation>{methods} × {models} × {seeds} = {runs}</translation>
    </message>
    <message>
      <source>{method} with {model}</source>
      <translation>{method}, {model}</translation>
    </message>
    <message>
      <source>{method} with {model}, seed {seed}. Data: {source}.</source>
      <translation>{method} mit {model}, Seed {seed}. Daten: {source}.</translation>
    </message>
    <message>
      <source>{method}; {model}; seed {seed}. Data: {source}.</source>
      <translation>{method}; {model}; Seed {seed}. Daten: {source}.</translation>
    </message>
    <message>
      <source>{missing} of {cells:,} ({percent} %), in {columns}</source>
      <translation>{missing} von {cells:,} ({percent} %), in {columns}</translation>
    </message>
    <message>
      <source>{model} cannot predict this target: the model stays as it was.</source>
      <translation>{model} kann diese Zielgröße nicht vorhersagen: Das Modell bleibt, wie es war.</translation>
    </message>
    <message>
      <source>{names} always in</source>
      <translation>{names} immer dabei</translation>
    </message>
    <message>
      <source>{names} and {more} more</source>
      <translation>{names} und {more} weitere</translation>
    </message>
    <message numerus="yes">
      <source>{names} are left out</source>
      <translation>
        <numerusform>{names} ist weggelassen</numerusform>
        <numerusform>{names} sind weggelassen</numerusform>
      </translation>
    </message>
    <message>
      <source>{names} free again</source>
      <translation>{names} wieder frei</translation>
    </message>
    <message>
      <source>{names} may be chosen by the search.</source>
      <translation>Die Suche darf {names} wählen.</translation>
    </message>
    <message>
      <source>{names} never in</source>
      <translation>{names} nie dabei</translation>
    </message>
    <message>
      <source>{names} the samples ({names2}); leave those out that are not the target, since they are no measurements.</source>
      <translation>{names} die Proben ({names2}); lassen Sie weg, was nicht die Zielgröße ist, denn es sind keine Messwerte.</translation>
    </message>
    <message>
      <source>{name} (run {id})</source>
      <translation>{name} (Lauf {id})</translation>
    </message>
    <message>
      <source>{name} copy</source>
      <translation>{name} Kopie</translation>
    </message>
    <message>
      <source>{name} has no column of folds: name one, or choose another validation.</source>
      <translation>{name} hat keine Spalte der Folds: Nennen Sie eine, oder wählen Sie eine andere Validierung.</translation>
    </message>
    <message>
      <source>{name} has no column of times: name one, or choose another validation.</source>
      <translation>{name} hat keine Spalte der Zeiten: Nennen Sie eine, oder wählen Sie eine andere Validierung.</translation>
    </message>
    <message>
      <source>{name} has no feature "{unknown}" ({role}): check the name.</source>
      <translation>{name} hat kein Merkmal „{unknown}“ ({role}): Prüfen Sie den Namen.</translation>
    </message>
    <message>
      <source>{name} has no outer fold {fold} of {folds} with {rows} rows.</source>
      <translation>{name} hat keinen äußeren Fold {fold} von {folds} mit {rows} Zeilen.</translation>
    </message>
    <message>
      <source>{name} has {units} groups, too few for {wanted} folds: use at most {most} folds or more groups.</source>
      <translation>{name} hat {units} Gruppen, zu wenige für {wanted} Folds: Nehmen Sie höchstens {most} Folds oder mehr Gruppen.</translation>
    </message>
    <message>
      <source>{name} has {units} rows, too few for {wanted} folds: use at most {most} folds or more rows.</source>
      <translation>{name} hat {units} Zeilen, zu wenige für {wanted} Folds: Nehmen Sie höchstens {most} Folds oder mehr Zeilen.</translation>
    </message>
    <message>
      <source>{name} is a folder: drop a table or a project that is in it.</source>
      <translation>{name} ist ein Ordner: Ziehen Sie eine Tabelle oder ein Projekt daraus herüber.</translation>
    </message>
    <message>
      <source>{name} is no class of scikit-learn that can be kept in a project; give an instance of one of its classes.</source>
      <translation>{name} ist keine Klasse von scikit-learn, die ein Projekt aufbewahren kann; geben Sie ein Objekt einer seiner Klassen.</translation>
    </message>
    <message>
      <source>{name} needs the library {library}, which is not part of this program: choose another format.</source>
      <translation>{name} braucht die Bibliothek {library}, die nicht zu diesem Programm gehört: Wählen Sie ein anderes Format.</translation>
    </message>
    <message>
      <source>{name} needs the library {library}: install it with: pip install {install}.</source>
      <translation>{name} braucht die Bibliothek {library}: Installieren Sie sie mit: pip install {install}.</translation>
    </message>
    <message>
      <source>{name} · iteration {step} · weight {value}</source>
      <translation>{name} · Iteration {step} · Gewicht {value}</translation>
    </message>
    <message>
      <source>{name} · iteration {step} · {said}</source>
      <translation>{name} · Iteration {step} · {said}</translation>
    </message>
    <message>
      <source>{name} · {run} · in {share}</source>
      <translation>{name} · {run} · in {share}</translation>
    </message>
    <message>
      <source>{name}: always in</source>
      <translation>{name}: immer drin</translation>
    </message>
    <message>
      <source>{name}: correlation {value}</source>
      <translation>{name}: Korrelation {value}</translation>
    </message>
    <message>
      <source>{name}: never in</source>
      <translation>{name}: nie drin</translation>
    </message>
    <message>
      <source>{number} of {count}</source>
      <translation>{number} von {count}</translation>
    </message>
    <message>
      <source>{owner} could not be trained on these features ({reason}); change its parameters or choose another wrapper.</source>
      <translation>{owner} ließ sich auf diesen Merkmalen nicht anlernen ({reason}); ändern Sie die Parameter oder wählen Sie ein anderes Modell.</translation>
    </message>
    <message>
      <source>{pinned} pinned, {banned} banned</source>
      <translation>{pinned} immer drin, {banned} nie drin</translation>
    </message>
    <message>
      <source>{place} of {steps}</source>
      <translation>{place} von {steps}</translation>
    </message>
    <message>
      <source>{rate} a second</source>
      <translation>{rate}/s</translation>
    </message>
    <message>
      <source>{rows:,} rows</source>
      <translation>{rows:,} Zeilen</translation>
    </message>
    <message>
      <source>{rows:,} rows of {blocks:,} groups</source>
      <translation>{rows:,} Zeilen aus {blocks:,} Gruppen</translation>
    </message>
    <message>
      <source>{rows:,} rows, {count:,} selected features</source>
      <translation>{rows:,} Zeilen, {count:,} ausgewählte Merkmale</translation>
    </message>
    <message>
      <source>{rows} rows in {groups} groups, which count here, and {classes} classes ({smallest} rows in the smallest): an error near {error} % can be told to about ± {points} points (95 %).</source>
      <translation>{rows} Zeilen in {groups} Gruppen, auf die es hier ankommt, und {classes} Klassen ({smallest} Zeilen in der kleinsten): Ein Fehler um {error} % lässt sich auf etwa ± {points} Prozentpunkte genau angeben (95 %).</translation>
    </message>
    <message>
      <source>{rows} rows in {groups} groups, which count here: an RMSE can be told to about ± {percent} % of itself (95 %).</source>
      <translation>{rows} Zeilen in {groups} Gruppen, auf die es hier ankommt: Ein RMSE lässt sich auf etwa ± {percent} % seines Wertes genau angeben (95 %).</translation>
    </message>
    <message>
      <source>{rows} rows, {classes} classes ({smallest} in the smallest): an error near {error} % can be told to about ± {points} points (95 %).</source>
      <translation>{rows} Zeilen, {classes} Klassen ({smallest} in der kleinsten): Ein Fehler um {error} % lässt sich auf etwa ± {points} Prozentpunkte genau angeben (95 %).</translation>
    </message>
    <message>
      <source>{rows} rows, {features} selected features</source>
      <translation>{rows} Zeilen, {features} gewählte Merkmale</translation>
    </message>
    <message>
      <source>{rows} rows: an RMSE can be told to about ± {percent} % of itself (95 %).</source>
      <translation>{rows} Zeilen: Ein RMSE lässt sich auf etwa ± {percent} % seines Wertes genau angeben (95 %).</translation>
    </message>
    <message>
      <source>{runs} are too many: {most} at a time</source>
      <translation>{runs} sind zu viele: höchstens {most} auf einmal</translation>
    </message>
    <message>
      <source>{runs}, {seeds}, at most {measurements}</source>
      <translation>{runs}, {seeds}, höchstens {measurements}</translation>
    </message>
    <message>
      <source>{run} broke off after {time}.</source>
      <translation>{run} ist nach {time} abgebrochen.</translation>
    </message>
    <message>
      <source>{run} ended before it heard of the last steering, which is not part of it.</source>
      <translation>{run} endete, bevor die letzte Steuerung ankam; sie gehört nicht dazu.</translation>
    </message>
    <message>
      <source>{run} had come to the end of its method and takes no more: start another run from its subset.</source>
      <translation>{run} war am Ende seines Verfahrens und nimmt nichts mehr an: Beginnen Sie einen anderen Lauf mit seiner Teilmenge.</translation>
    </message>
    <message>
      <source>{run} has ended after {time}.</source>
      <translation>{run} ist nach {time} zu Ende gegangen.</translation>
    </message>
    <message>
      <source>{run} has ended after {time}: {found} with {size}.</source>
      <translation>{run} ist nach {time} zu Ende gegangen: {found}, {size}.</translation>
    </message>
    <message>
      <source>{run} has finished: let it take more measurements first, or start another run.</source>
      <translation>{run} ist beendet: Erlauben Sie zuerst mehr Messungen oder beginnen Sie einen anderen Lauf.</translation>
    </message>
    <message>
      <source>{run} is at work: stop it before you delete it.</source>
      <translation>{run} ist in Arbeit: Stoppen Sie ihn, bevor Sie ihn löschen.</translation>
    </message>
    <message>
      <source>{run} is deleted.</source>
      <translation>{run} ist gelöscht.</translation>
    </message>
    <message>
      <source>{run} is the same search on the same data and has finished: it would give the same.</source>
      <translation>{run} ist dieselbe Suche auf denselben Daten und ist beendet: Das Ergebnis wäre dasselbe.</translation>
    </message>
    <message>
      <source>{run} is the same search on the same data, and is under way.</source>
      <translation>{run} ist dieselbe Suche auf denselben Daten und läuft gerade.</translation>
    </message>
    <message>
      <source>{shown:,} of {count:,} features</source>
      <translation>{shown:,} von {count:,} Merkmalen</translation>
    </message>
    <message>
      <source>{shown:,} of {count:,} features, evenly spread over the order</source>
      <translation>{shown:,} von {count:,} Merkmalen, gleichmäßig über die Reihenfolge verteilt</translation>
    </message>
    <message>
      <source>{shown} and {names} more</source>
      <translation>{shown} und {names} weitere</translation>
    </message>
    <message>
      <source>{shown} of {count} features</source>
      <translation>{shown} von {count} Merkmalen</translation>
    </message>
    <message>
      <source>{shown} of {total}</source>
      <translation>{shown} von {total}</translation>
    </message>
    <message>
      <source>{size} of {total} features predict {target}.</source>
      <translation>{size} von {total} Merkmalen sagen {target} vorher.</translation>
    </message>
    <message>
      <source>{size} workers free</source>
      <translation>{size} Prozesse frei</translation>
    </message>
    <message>
      <source>{some} features that any of {count} runs selected</source>
      <translation>{some} Merkmale, die mindestens einer von {count} Läufen gewählt hat</translation>
    </message>
    <message>
      <source>{some} features that the run selected</source>
      <translation>{some} Merkmale, die der Lauf gewählt hat</translation>
    </message>
    <message>
      <source>{status} · {time} of work</source>
      <translation>{status} · {time} Arbeit</translation>
    </message>
    <message>
      <source>{strategy} with 1 feature did best on rows held out</source>
      <translation>{strategy} mit 1 Merkmal war auf zurückgehaltenen Zeilen am besten</translation>
    </message>
    <message>
      <source>{strategy} with {size} features did best on rows held out</source>
      <translation>{strategy} mit {size} Merkmalen war auf zurückgehaltenen Zeilen am besten</translation>
    </message>
    <message>
      <source>{sum} left out</source>
      <translation>{sum} weggelassen</translation>
    </message>
    <message>
      <source>{time:.3g} {unit}</source>
      <translation>{time:.3g} {unit}</translation>
    </message>
    <message>
      <source>{times} ×</source>
      <translation>{times} ×</translation>
    </message>
    <message>
      <source>{title} as {kind}: {help}</source>
      <translation>{title} als {kind}: {help}</translation>
    </message>
    <message>
      <source>{title} cannot predict {kind}, which the target "{target_name}" holds: choose one of the wrappers {fitting}.</source>
      <translation>{title} kann nicht vorhersagen, was die Zielgröße „{target_name}“ enthält ({kind}): Wählen Sie eines der Modelle {fitting}.</translation>
    </message>
    <message>
      <source>{title} has no preset "{name}"; there are: {known}.</source>
      <translation>{title} hat keine Vorgabe „{name}“; es gibt: {known}.</translation>
    </message>
    <message>
      <source>{title} judges {kind}, but the target "{target_name}" holds {kind2}: choose one of the criteria {fitting}.</source>
      <translation>{title} passt nicht zur Zielgröße „{target_name}“ (beurteilt {kind}, sie enthält {kind2}): Wählen Sie eines der Kriterien {fitting}.</translation>
    </message>
    <message>
      <source>{title} needs {needs}, which {title2} does not give: choose one of the wrappers {fitting}.</source>
      <translation>{title} braucht {needs}, was {title2} nicht liefert: Wählen Sie eines der Modelle {fitting}.</translation>
    </message>
    <message>
      <source>{title} on {data}: {done} of at most {most} measurements ({share} %)</source>
      <translation>{title} mit {data}: {done} von höchstens {most} Messungen ({share} %)</translation>
    </message>
    <message>
      <source>{title} {old} → {new}</source>
      <translation>{title} {old} → {new}</translation>
    </message>
    <message>
      <source>{title}: {column}</source>
      <translation>{title}: {column}</translation>
    </message>
    <message>
      <source>{total} in {count} ({names}); {done}.</source>
      <translation>{total} in {count} ({names}); {done}.</translation>
    </message>
    <message>
      <source>{true} predicted as {said}: {count}</source>
      <translation>{true} vorhergesagt als {said}: {count}</translation>
    </message>
    <message>
      <source>{twice} sample ids occur more than once: {twice2}.</source>
      <translation>{twice} Probenkennungen kommen mehr als einmal vor: {twice2}.</translation>
    </message>
    <message>
      <source>{value:.1f} %</source>
      <translation>{value:.1f} %</translation>
    </message>
    <message>
      <source>{value} (± {spread} over the repeats alone)</source>
      <translation>{value} (± {spread} allein über die Wiederholungen)</translation>
    </message>
    <message>
      <source>{value} in the search</source>
      <translation>{value} in der Suche</translation>
    </message>
    <message>
      <source>{value} on fresh folds</source>
      <translation>{value} auf neuen Folds</translation>
    </message>
    <message>
      <source>{value} on unseen rows</source>
      <translation>{value} auf ungesehenen Zeilen</translation>
    </message>
    <message>
      <source>{value} when measured again</source>
      <translation>{value} bei erneuter Messung</translation>
    </message>
    <message>
      <source>{value} with {features}</source>
      <translation>{value}, {features}</translation>
    </message>
    <message>
      <source>{value}, chance {chance}</source>
      <translation>{value}, Zufall {chance}</translation>
    </message>
    <message>
      <source>{value}, the best</source>
      <translation>{value}, der beste Wert</translation>
    </message>
    <message>
      <source>{working} at work</source>
      <translation>{working} in Arbeit</translation>
    </message>
    <message>
      <source>{working} at work, {waiting} waiting</source>
      <translation>{working} in Arbeit, {waiting} warten</translation>
    </message>
    <message>
      <source>{z} s.d.</source>
      <translation>{z} Std.-Abw.</translation>
    </message>
    <message>
      <source>± is the standard deviation over seeds. ★ marks the lowest error on unseen rows of each data set, where it is shown to be better than all features. Select lines to see their intervals; a double click opens the run.</source>
      <translation>± ist die Standardabweichung über Startwerte. ★ steht beim kleinsten Fehler auf ungesehenen Zeilen jeder Tabelle, wo er nachweislich unter dem aller Merkmale liegt. Wählen Sie Zeilen, um ihre Intervalle zu sehen; ein Doppelklick öffnet den Lauf.</translation>
    </message>
  </context>
</TS>
